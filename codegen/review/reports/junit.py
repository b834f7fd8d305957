"""The report as JUnit XML: a case for each function, failed where it is outside the policy."""

from __future__ import annotations

from xml.etree import ElementTree

from codegen.review.reports.evidence import evidence
from codegen.review.reports.report import Entry, Report


def render(report: Report) -> str:
    """The report as XML text."""
    suite = ElementTree.Element(
        "testsuite",
        name=report.command,
        tests=str(len(report.rows)),
        failures=str(len(report.outside)),
        errors="0",
        skipped="0",
    )
    for row in report.rows:
        suite.append(_case(row))
    ElementTree.indent(suite)
    written = ElementTree.tostring(suite, encoding="unicode", xml_declaration=False)
    return written.replace("##", "#&#35;") + "\n"


def _case(row: Entry) -> ElementTree.Element:
    line = str(row.change.line)
    case = ElementTree.Element("testcase", classname=row.file, name=row.symbol, file=row.file, line=line)
    said = "\n".join([row.change.kind.value, *evidence(row)])
    if row.breaches:
        message = "; ".join(row.breaches)
        ElementTree.SubElement(case, "failure", type=row.change.kind.value, message=message).text = said
    else:
        ElementTree.SubElement(case, "system-out").text = said
    return case
