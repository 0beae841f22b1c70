#!/usr/bin/env python3
"""Profile a CSV file and print a Markdown report (or JSON). Standard library only; the file is not changed."""

import argparse
import csv
import io
import json
import math
import re
import statistics
import sys
from collections import Counter
from datetime import date

INTEGER = re.compile(r"[+-]?(0|[1-9]\d*)$", re.ASCII)
NUMBER = re.compile(r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?$", re.ASCII)
DATE = re.compile(r"(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$", re.ASCII)
BOOLEANS = {"true", "false", "yes", "no"}
DELIMITERS = ",;\t|"
MIXED_SHARE = 0.9
LONGEST_NUMBER = 300
LINES_NAMED = 5


class ReportError(Exception):
    """Something the user can put right; shown as one line."""


def kind_of(value):
    """The narrowest type of one value that is not empty."""
    if len(value) > LONGEST_NUMBER:
        return "text"
    if INTEGER.match(value):
        return "integer"
    if NUMBER.match(value) and math.isfinite(float(value)):
        return "number"
    if value.lower() in BOOLEANS:
        return "boolean"
    found = DATE.match(value)
    if found:
        try:
            date.fromisoformat(found.group(1))
            return "date"
        except ValueError:
            return "text"
    return "text"


class Column:
    def __init__(self, name):
        self.name = name
        self.missing = 0
        self.values = Counter()

    def add(self, value):
        value = value.strip()
        if value:
            self.values[value] += 1
        else:
            self.missing += 1

    def profile(self, top):
        kinds = {value: kind_of(value) for value in self.values}
        present = sum(self.values.values())
        by_kind = Counter()
        for value, count in self.values.items():
            by_kind[kinds[value]] += count
        numeric = by_kind["integer"] + by_kind["number"]

        kind, family = self.choose_type(by_kind, numeric, present)
        result = {
            "name": self.name,
            "type": kind,
            "missing": self.missing,
            "distinct": len(self.values),
        }
        if family == "number":
            result.update(self.number_range(kinds))
        if family == "date":
            dates = [value for value in self.values if kinds[value] == "date"]
            result.update(first=min(dates), last=max(dates))
        if kind == "mixed":
            fits = {"integer", "number"} if family == "number" else {"date"}
            odd = Counter({v: n for v, n in self.values.items() if kinds[v] not in fits})
            result["odd_values"] = frequent(odd, top)
        if kind in ("text", "boolean"):
            result["frequent"] = frequent(self.values, top)
        return result

    @staticmethod
    def choose_type(by_kind, numeric, present):
        if present == 0:
            return "empty", None
        if by_kind["integer"] == present:
            return "integer", "number"
        if numeric == present:
            return "number", "number"
        for kind in ("boolean", "date"):
            if by_kind[kind] == present:
                return kind, kind
        if numeric >= MIXED_SHARE * present:
            return "mixed", "number"
        if by_kind["date"] >= MIXED_SHARE * present:
            return "mixed", "date"
        return "text", None

    def number_range(self, kinds):
        numbers = []
        for value, count in self.values.items():
            if kinds[value] == "integer":
                numbers.extend([int(value)] * count)
            elif kinds[value] == "number":
                numbers.extend([float(value)] * count)
        result = {"min": min(numbers), "max": max(numbers)}
        try:
            mean = math.fsum(numbers) / len(numbers)
            result.update(mean=round(mean, 4), median=round(statistics.median(numbers), 4))
        except OverflowError:
            pass  # too large to add up; the range still stands
        return result


def frequent(values, top):
    ordered = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return [{"value": value, "count": count} for value, count in ordered[:top]]


def read_text(path, encoding):
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from error
    try:
        text = data.decode(encoding)
    except LookupError as error:
        raise ReportError(f"unknown encoding '{encoding}'") from error
    except UnicodeDecodeError as error:
        name = "UTF-8" if encoding == "utf-8-sig" else encoding
        hint = f"the file is not {name} (byte {error.start}); try --encoding latin-1 or --encoding utf-16"
        raise ReportError(hint) from error
    if "\0" in text:
        raise ReportError("the file holds binary data; export it as CSV first")
    return text


def guess_delimiter(text):
    """The separator that splits the first lines into the most equal rows, preferring more columns."""
    lines = [line for line in text[:65536].splitlines()[:50] if line.strip()]
    if len(text) > 65536 and len(lines) > 1:
        lines.pop()  # possibly cut in the middle

    def fitness(delimiter):
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        usual, agreeing = Counter(widths).most_common(1)[0]
        return (usual > 1) * agreeing, usual

    return max(DELIMITERS, key=fitness) if lines else ","


def unique_names(names):
    seen, result = Counter(), []
    for position, name in enumerate(names, start=1):
        name = name.strip() or f"column {position}"
        seen[name] += 1
        result.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return result, sorted(name for name, count in seen.items() if count > 1)


def profile(text, delimiter, header, top):
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows, blank = [], 0
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((reader.line_num, row))
            else:
                blank += 1
    except csv.Error as error:
        raise ReportError(f"line {reader.line_num}: {error}") from error
    if not rows:
        raise ReportError("the file holds no rows")

    if header:
        names, repeated = unique_names(rows.pop(0)[1])
    else:
        widest = max(len(row) for _, row in rows)
        names, repeated = [f"column {number}" for number in range(1, widest + 1)], []

    columns = [Column(name) for name in names]
    ragged, seen = [], Counter()
    for line, row in rows:
        seen[tuple(row)] += 1
        if len(row) != len(columns):
            ragged.append({"line": line, "fields": len(row)})
        for index, column in enumerate(columns):
            column.add(row[index] if index < len(row) else "")

    profiles = [column.profile(top) for column in columns]
    return {
        "rows": len(rows),
        "columns": len(columns),
        "delimiter": delimiter,
        "problems": {
            "duplicate_rows": sum(count - 1 for count in seen.values()),
            "ragged_lines": ragged,
            "duplicate_column_names": repeated,
            "empty_columns": [item["name"] for item in profiles if item["type"] == "empty"],
            "blank_lines": blank,
        },
        "profile": profiles,
    }


def number_text(value):
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.4f}".rstrip("0").rstrip(".") if 1e-4 <= abs(value) < 1e15 else f"{value:g}"


def cell(text, limit=40):
    text = " ".join(text.split())
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("`", "'")


def notes_of(item):
    notes = []
    if "min" in item:
        notes.append(f"{number_text(item['min'])} to {number_text(item['max'])}")
    if "mean" in item:
        notes.append(f"average {number_text(item['mean'])}, median {number_text(item['median'])}")
    if "first" in item:
        notes.append(f"{item['first']} to {item['last']}")
    for key, label in (("odd_values", "odd: "), ("frequent", "")):
        if item.get(key):
            shown = ", ".join(f"`{cell(entry['value'])}` × {entry['count']:,}" for entry in item[key])
            notes.append(label + shown)
    return "; ".join(notes)


def problem_lines(problems):
    lines = []
    ragged = problems["ragged_lines"]
    if ragged:
        some = ", ".join(f"{item['line']} ({item['fields']} fields)" for item in ragged[:LINES_NAMED])
        more = ", …" if len(ragged) > LINES_NAMED else ""
        lines.append(f"Ragged lines, with too many or too few fields: {len(ragged):,}; at line {some}{more}")
    if problems["duplicate_rows"]:
        lines.append(f"Duplicate rows: {problems['duplicate_rows']:,}")
    for key, label in (("duplicate_column_names", "Repeated column names"), ("empty_columns", "Empty columns")):
        if problems[key]:
            lines.append(f"{label}: {', '.join(cell(name) for name in problems[key])}")
    if problems["blank_lines"]:
        lines.append(f"Blank lines, ignored: {problems['blank_lines']:,}")
    return lines


def markdown(result, title):
    separator = "tab" if result["delimiter"] == "\t" else f"`{result['delimiter']}`"
    out = [f"# {title}", ""]
    out.append(f"{result['rows']:,} rows, {result['columns']:,} columns, separated by {separator}")
    out += ["", "## Problems", ""]
    out += [f"- {line}" for line in problem_lines(result["problems"])] or ["None found."]
    out += ["", "## Columns", "", "| column | type | missing | distinct | notes |", "|---|---|---:|---:|---|"]
    for item in result["profile"]:
        facts = [cell(item["name"]), item["type"], f"{item['missing']:,}", f"{item['distinct']:,}", notes_of(item)]
        out.append(f"| {' | '.join(facts)} |")
    return "\n".join(out)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description="Profile a CSV file and print a Markdown report.")
    parser.add_argument("file", help="the CSV file, or - for standard input")
    parser.add_argument("--delimiter", help="one character, or 'tab'; guessed when left out")
    parser.add_argument("--encoding", default="utf-8-sig", help="default: UTF-8, with or without a byte order mark")
    parser.add_argument("--no-header", action="store_true", help="the first line is data")
    parser.add_argument("--top", type=int, default=3, help="frequent values to show for each text column (default 3)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    if options.delimiter in ("tab", "\\t"):
        options.delimiter = "\t"
    if options.delimiter is not None and (len(options.delimiter) != 1 or options.delimiter in '"\r\n'):
        parser.error("--delimiter must be one character, or 'tab'")
    if options.top < 1:
        parser.error("--top must be 1 or more")
    return options


def main(arguments=None):
    options = parse_arguments(arguments)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")
    csv.field_size_limit(2**31 - 1)
    try:
        text = read_text(options.file, options.encoding)
        delimiter = options.delimiter or guess_delimiter(text)
        result = profile(text, delimiter, not options.no_header, options.top)
    except ReportError as error:
        print(f"csv_report: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(result, ensure_ascii=False, indent=2))
    else:
        title = "standard input" if options.file == "-" else re.split(r"[/\\]", options.file)[-1]
        print(markdown(result, title))
    return 0


if __name__ == "__main__":
    sys.exit(main())
