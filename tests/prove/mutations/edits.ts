/** Replaces the characters from `at` to `end` of a source. */
export type Edit = { readonly at: number; readonly end: number; readonly text: string }

/** The source with all edits; those at one place in the order of the list. */
export function withEdits(source: string, edits: readonly Edit[]): string {
  let text = ''
  let position = 0
  for (const edit of edits.toSorted((left, right) => left.at - right.at)) {
    text += source.slice(position, edit.at) + edit.text
    position = edit.end
  }
  return text + source.slice(position)
}
