import { readFileSync } from 'node:fs'

/** A fenced block of a page, with what the comment right before it says about it. */
export type DocExample = {
  readonly language: string
  readonly text: string
  /** Why it cannot run here; null if it runs. */
  readonly excuse: string | null
  /** `NAME path`: later blocks say NAME for what the answer has at this path. */
  readonly saves: { readonly name: string; readonly path: readonly string[] } | null
  /** The file that it is an excerpt of. */
  readonly source: string | null
  /** Whether it needs the end of the call that was dialled before. */
  readonly waits: boolean
}

/**
 * The fenced blocks of a Markdown page. A comment before a block directs the test: `<!-- example: reason -->` (it cannot run here),
 * `<!-- save NAME path -->`, `<!-- wait: the call ended -->`, `<!-- from FILE -->` (it is an excerpt).
 */
export function docExamples(path: string): readonly DocExample[] {
  const blocks = readFileSync(path, 'utf8').matchAll(/(?:<!-- (.*?) -->\n)?```(\w*)\n([\s\S]*?)\n```/g)
  return [...blocks].map(([, note = '', language = '', text = '']) => {
    const [, name, path = ''] = /^save (\w+) (\S+)$/.exec(note) ?? []
    return {
      language,
      text,
      excuse: /^example: (.+)$/.exec(note)?.[1] ?? null,
      source: /^from (\S+)$/.exec(note)?.[1] ?? null,
      saves: name === undefined ? null : { name, path: path.split('.') },
      waits: note.startsWith('wait:'),
    }
  })
}

/** What is at the path of a JSON value, as a text. */
export function textAt(value: unknown, path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Object.entries(inner).find(([name]) => name === key)?.[1] : undefined),
    value,
  )
  if (typeof found !== 'string') throw new Error(`There is no text at ${path.join('.')}`)
  return found
}
