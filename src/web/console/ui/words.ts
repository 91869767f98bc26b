/** Of up to three characters, most are abbreviations: `OPD`, `SMS`. */
const shortWords = new Set(['NEW', 'OLD', 'HOT', 'WON', 'WEB', 'YES', 'NO'])

/** `Follow up` of `FOLLOW_UP`: a value of one of the workspace's own lists. Other texts stay as they are, and so do abbreviations. */
export function inWords(value: string): string {
  const isWord = value.includes('_') || value.length > 3 || shortWords.has(value)
  if (!isWord || value !== value.toUpperCase()) return value
  return value.charAt(0) + value.slice(1).replaceAll('_', ' ').toLowerCase()
}
