/** From its request to its last row. A client that reads slower than that could hold its export for ever. */
export const longestExportMs = 10 * 60_000
