/** A row of a CSV file (RFC 4180), with its end. Null is an empty cell. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'number' ? String(value) : quoted(withoutFormula(value))
}

/**
 * A spreadsheet computes what begins with these signs, also behind spaces and what nobody sees. What it takes for the end of a cell (a semicolon, a
 * tab, a line break) differs, so it may be any control character. A phone number is no formula.
 */
const hiddenFormula =
  /(^|[;\p{Cc}\p{Zl}\p{Zp}])(?=["'\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\u2212\uFE62\uFE63\uFE66\uFE6B\uFF1D\uFF0B\uFF0D\uFF20])/gu

function withoutFormula(text: string): string {
  return /^\+\d{1,20}$/.test(text) ? text : text.replaceAll(hiddenFormula, "$1'")
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text
}
