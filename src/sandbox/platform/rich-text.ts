import { decodeString } from 'micromark-util-decode-string'
import { newId } from '../ids.ts'
import { badArguments } from './errors.ts'
import type { JsonObject } from './json.ts'
import type { Place } from './scalar-kinds.ts'

/** Rich text is stored twice, as Markdown and as blocks; the platform makes each from the other. */
export function normalizeRichText(value: JsonObject, { path }: Place): JsonObject {
  const { markdown, blocknote } = value
  if (typeof markdown === 'string') return { markdown, blocknote: JSON.stringify(blocksOf(markdown)) }
  if (markdown === null) return { markdown: '', blocknote: null }
  return typeof blocknote === 'string' ? { blocknote, markdown: markdownOf(blocknote, path) } : value
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
        return {
          type: 'text',
          text: decodeString((bold ?? piece).replaceAll('\\\n', '\n')),
          styles: bold === undefined ? {} : { bold: true },
        }
      }),
    children: [],
  }))
}

/** The texts of the blocks, one paragraph each. */
function markdownOf(blocknote: string, path: string): string {
  const texts: string[] = []
  try {
    JSON.parse(blocknote, (key, value: unknown) => {
      if (key === 'text' && typeof value === 'string') texts.push(value)
      return value
    })
  } catch {
    const message = `Invalid blocknote value for field "${path}.blocknote" - must contain valid JSON`
    throw badArguments('INVALID_ARGS_DATA', message, 'Invalid value for rich text.')
  }
  return texts.join('\n\n')
}
