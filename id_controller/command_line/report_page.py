"""A page that needs nothing beside itself."""
from __future__ import annotations

import base64
from html import escape

from id_controller.realtime.black_box import Recording

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font-family: system-ui, sans-serif; margin: 2em auto; max-width: 72em; color: #22272e; }}
pre {{ background: #f6f8fa; padding: 1em; overflow-x: auto; }}
img {{ max-width: 100%; }}
td {{ padding: 0 1em 0 0; font-family: monospace; }}
</style>
</head>
<body>
<h1>{title}</h1>
<pre>{text}</pre>
<img src="data:image/png;base64,{picture}" alt="Positions, errors, efforts, terms and timing">
<h2>Parameters</h2>
<table>{parameters}</table>
</body>
</html>
"""


def page(recording: Recording, text: str, picture: bytes) -> str:
    """
    Write the page; whatever stands in a recording is shown, not obeyed.

    :param text: The figures, :param picture: a PNG.
    """
    facts = recording.facts
    rows = ''.join(
        f'<tr><td>{escape(str(name))}</td><td>{escape(str(value))}</td></tr>'
        for name, value in sorted(facts.parameters.items())
    )
    return _PAGE.format(
        title=escape(f'{facts.robot}: {facts.fault}'), text=escape(text),
        picture=base64.b64encode(picture).decode(), parameters=rows,
    )
