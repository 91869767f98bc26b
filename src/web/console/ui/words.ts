/** `Follow up` of `FOLLOW_UP`: a value of one of the workspace's own lists. Other texts stay as they are. */
export function inWords(value: string): string {
  if (value !== value.toUpperCase()) return value
  return value.charAt(0) + value.slice(1).replaceAll('_', ' ').toLowerCase()
}
