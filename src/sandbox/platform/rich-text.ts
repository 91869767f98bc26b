import { newId } from '../ids.ts'
import type { JsonObject } from './json.ts'

/** Rich text is stored twice, as Markdown and as blocks; the platform makes each from the other. */
export function normalizeRichText(value: JsonObject): JsonObject {
  const { markdown, blocknote } = value
  if (typeof markdown === 'string') return { markdown, blocknote: JSON.stringify(blocksOf(markdown)) }
  return typeof blocknote === 'string' ? { blocknote, markdown: markdownOf(blocknote) } : value
}

function blocksOf(markdown: string): unknown[] {
  return markdown.split(/\n{2,}/).map((paragraph) => ({
    id: newId(),
    type: 'paragraph',
    props: { backgroundColor: 'default', textColor: 'default', textAlignment: 'left' },
    content: paragraph
      .split(/(\*\*[^*]+\*\*)/)
      .filter((piece) => piece !== '')
      .map((piece) => {
        const bold = /^\*\*([^*]+)\*\*$/.exec(piece)?.[1]
        return { type: 'text', text: bold ?? piece, styles: bold === undefined ? {} : { bold: true } }
      }),
    children: [],
  }))
}

/** The texts of the blocks, one paragraph each. */
function markdownOf(blocknote: string): string {
  const texts: string[] = []
  JSON.parse(blocknote, (key, value: unknown) => {
    if (key === 'text' && typeof value === 'string') texts.push(value)
    return value
  })
  return texts.join('\n\n')
}
