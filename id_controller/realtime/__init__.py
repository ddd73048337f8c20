"""What makes a control process run on time and two processes watch each other; no ROS here."""
