"""``id_controller report``: what a black box holds, as text and as a page with a picture."""
from __future__ import annotations

from pathlib import Path

from id_controller.command_line.demo_plot import require_plotting
from id_controller.command_line.report_page import page
from id_controller.command_line.report_plot import drawn
from id_controller.command_line.report_text import report_text
from id_controller.errors import ParameterError
from id_controller.realtime.black_box import load

_PAGE, _PICTURE = '.html', '.png'


def run(file: Path, output: Path | None) -> int:
    """
    Read a recording, print what it says, and draw it.

    :param output: A page (.html) or a picture (.png); None: a page beside the recording.
    :return: Exit code, 0.
    :raises RecordingError: when it cannot be read.
    """
    target = output or file.with_suffix(_PAGE)
    if target.suffix not in (_PAGE, _PICTURE):
        raise ParameterError(f'--output: got {target}, expected a name that ends in .html or .png')
    require_plotting()
    recording = load(file)
    text = report_text(recording)
    print(text)
    picture = drawn(recording)
    if target.suffix == _PICTURE:
        target.write_bytes(picture)
    else:
        target.write_text(page(recording, text, picture), encoding='utf-8')
    print(f'wrote {target}')
    return 0
