import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { decodeString } from 'micromark-util-decode-string'

/** The platform's editor knows GitHub Flavored Markdown: also strikethrough, tables, and addresses that are links without a mark. */
const flavored = { extensions: [gfmToMarkdown()], unsafe: [{ character: '|', atBreak: true }] }

/**
 * Rich text that shows exactly this text: its lines, and paragraphs where lines are empty. Nothing in it is a mark, a list or HTML; an address may
 * become a link to itself.
 */
export function markdownOf(text: string): string {
  const children = paragraphsIn(text).map((lines) => ({ type: 'paragraph' as const, children: contentOf(lines) }))
  return toMarkdown({ type: 'root', children }, flavored).trimEnd()
}

/** The lines of each. */
function paragraphsIn(text: string): readonly (readonly string[])[] {
  const paragraphs: string[][] = [[]]
  for (const line of text.trim().split(/\r?\n/)) {
    if (line.trim() !== '') paragraphs.at(-1)?.push(line)
    else if (paragraphs.at(-1)?.length !== 0) paragraphs.push([])
  }
  return paragraphs
}

function contentOf(lines: readonly string[]) {
  const texts = lines.map((value) => ({ type: 'text' as const, value }))
  return texts.flatMap((line, index) => (index === 0 ? [line] : [{ type: 'break' as const }, line]))
}

/** Rich text as people see it, but for its marks: lists and emphasis stay as somebody wrote them. */
export function textOfMarkdown(markdown: string): string {
  return decodeString(markdown.replaceAll('\\\n', '\n'))
}
