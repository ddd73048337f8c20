"""
Make the virtual environment of this source tree, or repair it; quick when it is complete.

Needs the standard library alone and parses on any Python 3, because its first job is to say what
a machine lacks. Not part of the package.
"""
import fcntl
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / '.venv'
PYTHON = VENV / 'bin' / 'python'
STAMP = VENV / 'complete'
LOG = VENV / 'pip.log'
EXTRAS = 'standalone,sim,robots,view,test,dev'
MINORS = (13, 12, 11, 10)  # of Python 3: those for which the ROS 2 wheels exist
PROBE = 'import mujoco, numpy, pinocchio, rclpy, yaml, id_controller.paths'


def main():
    if is_complete():
        return
    refuse_machine()
    folder = os.open(str(ROOT), os.O_RDONLY)  # open, and so locked, until the process ends
    fcntl.flock(folder, fcntl.LOCK_EX)
    if is_complete():
        return
    if not is_sound():
        make()
    install()
    if not runs(PROBE):
        make()
        install()
        if not runs(PROBE):
            refuse('what pip installed cannot be imported; see: %s -c "%s"' % (PYTHON, PROBE))
    STAMP.write_text(wanted())


def wanted():
    """What a complete environment was made from, and where: a moved one is not complete."""
    parts = [str(ROOT), EXTRAS]
    parts += [(ROOT / name).read_text() for name in ('setup.py', 'pyproject.toml')]
    return hashlib.sha256('\n'.join(parts).encode()).hexdigest()


def is_complete():
    return STAMP.is_file() and STAMP.read_text() == wanted() and runs('')


def is_sound():
    """Whether pip can go on with what is there: no install was cut off in the middle."""
    check = (
        'import pip, sys; from pathlib import Path;'
        'sys.exit(sys.version_info[:2] not in %r or Path(sys.prefix).resolve() != Path(%r))'
        % ([(3, minor) for minor in MINORS], str(VENV.resolve()))
    )
    records = [(found / 'RECORD').is_file() for found in VENV.glob('lib/*/*/*.dist-info')]
    return all(records) and runs(check)


def runs(code):
    """Whether the environment's interpreter runs this code; from a neutral folder."""
    if not os.access(str(PYTHON), os.X_OK):
        return False
    command = [str(PYTHON), '-c', code]
    done = subprocess.call(
        command, cwd=str(VENV), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return done == 0


def refuse_machine():
    if platform.system() != 'Linux' or platform.machine() not in ('x86_64', 'AMD64'):
        refuse(
            'the ROS 2 wheels are for Linux on x86_64, this is %s on %s; '
            'use the package in a colcon workspace of ROS 2 instead (README.md, Install)'
            % (platform.system(), platform.machine())
        )


def refuse_interpreter():
    version = '%d.%d' % sys.version_info[:2]
    if sys.version_info[0] != 3 or sys.version_info[1] not in MINORS:
        refuse(
            'the ROS 2 wheels are for Python 3.10 to 3.13, %s is %s; say which to use: '
            'PYTHON=%s make ...' % (sys.executable, version, other_interpreter())
        )
    if importlib.util.find_spec('ensurepip') is None:
        refuse(
            'this Python %s cannot make virtual environments; '
            'sudo apt install python3-venv (or python%s-venv), then run make again'
            % (version, version)
        )


def other_interpreter():
    """A fitting interpreter of this machine, or the name of one to install."""
    for minor in MINORS:
        name = 'python3.%d' % minor
        found = shutil.which(name)
        if found and subprocess.call([found, '-c', ''], stderr=subprocess.DEVNULL) == 0:
            return name
    return 'python3.12 (sudo apt install python3.12 python3.12-venv)'


def make():
    refuse_interpreter()
    say('making .venv with Python %d.%d' % sys.version_info[:2])
    if subprocess.call([sys.executable, '-m', 'venv', '--clear', str(VENV)]) != 0:
        refuse('%s -m venv failed' % sys.executable)


def install():
    """Install the source tree as editable, with its extras; the log keeps what pip says."""
    if STAMP.exists():
        STAMP.unlink()
    say('installing into .venv (1.4 GB when it is new; one to five minutes)')
    command = [str(PYTHON), '-m', 'pip', 'install', '--no-input', '--progress-bar', 'off']
    command += ['--disable-pip-version-check', '--editable', '.[%s]' % EXTRAS]
    pip = subprocess.Popen(
        command, cwd=str(ROOT), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, universal_newlines=True,
    )
    lines = follow(pip)
    if pip.wait() != 0:
        print(''.join(lines[-15:]), end='')
        refuse('pip could not install; the whole log is %s' % LOG)
    say('.venv is complete')


def follow(pip):
    """Write what pip says to the log, and show one line of progress where a person looks."""
    lines, packages, person = [], 0, sys.stdout.isatty()
    with open(str(LOG), 'w') as log:
        for line in pip.stdout:
            log.write(line)
            lines.append(line)
            packages += line.startswith(('Collecting', 'Requirement already'))
            if person and line.strip():
                shown = '%d packages: %s' % (packages, line.strip()[:60])
                print('\r\033[K' + shown, end='', flush=True)
    if person:
        print('\r\033[K', end='')
    return lines


def say(text):
    print('setup: ' + text, flush=True)


def refuse(text):
    sys.exit('setup: ' + text)


if __name__ == '__main__':
    try:
        main()
    except KeyboardInterrupt:
        refuse('interrupted; the next make goes on')
