/** A row of a CSV file (RFC 4180), with its end. Null is an empty cell. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'number' ? String(value) : quoted(withoutFormula(value))
}

/** A spreadsheet computes what begins with these signs, also behind spaces. */
function withoutFormula(text: string): string {
  const [first = ''] = text.trimStart()
  return '=+-@\uFF1D\uFF0B\uFF0D\uFF20'.includes(first) && first !== '' ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text
}
