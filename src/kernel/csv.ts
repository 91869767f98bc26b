/** A row of a CSV file (RFC 4180), with its end. Null is an empty cell. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'number' ? String(value) : quoted(withoutFormula(value))
}

/**
 * A spreadsheet computes what begins with these signs, also behind spaces. Where lists are separated by semicolons or tabs, it also takes what
 * follows these, or a line break, for a cell. A phone number is no formula.
 */
function withoutFormula(text: string): string {
  if (/^\+\d{1,20}$/.test(text)) return text
  return text.replaceAll(/(^|[;\t\r\n])(?=[^\S\t\r\n]*["']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, "$1'")
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text
}
