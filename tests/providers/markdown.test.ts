import { array, assert, constantFrom, property } from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { markdownOf, textOfMarkdown } from '../../src/providers/platform/markdown.ts'
import { hostileTexts } from '../builders/hostile-texts.ts'

type Tree = ReturnType<typeof fromMarkdown>
type Node = Tree | Tree['children'][number]

/** What the platform's editor makes of it. */
const parsed = (markdown: string): Tree => fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })

function nodesIn(node: Node): readonly Node[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesIn) : [])]
}

/** The text of each paragraph, with its line breaks. */
function shownBy(markdown: string): string {
  const paragraphs = parsed(markdown).children.map((paragraph) =>
    nodesIn(paragraph)
      .map((node) => (node.type === 'break' ? '\n' : node.type === 'text' ? node.value : ''))
      .join(''),
  )
  return paragraphs.join('\n\n')
}

const inconspicuous = new Set(['root', 'paragraph', 'text', 'break'])

/** What shows as anything but the text itself. The editor makes links of addresses in any text, also of escaped ones: they show where they lead. */
function marksIn(markdown: string): readonly Node[] {
  return nodesIn(parsed(markdown)).filter((node) => !inconspicuous.has(node.type) && !(node.type === 'link' && showsItself(node)))
}

function showsItself(link: Extract<Node, { type: 'link' }>): boolean {
  const text = link.children.map((child) => ('value' in child ? child.value : '')).join('')
  return [text, `http://${text}`, `mailto:${text}`].includes(link.url)
}

test.each([
  'BP is >140 in the morning and <90 at night, sugar >200.',
  '* 2 tablets\n* 1 injection\n1. rest\n2) water\n+91 98450 12345\n# urgent\n> said so',
  'dose_of_day = 2*1 ~~not 3~~ `x` [after] (food) ![] \\ & &lt; {a} | b | $c$ ^d^',
  'name | dose\n---|---\nA | B\n\n| x |\n|---|\n:-- | --:',
  '[ ] fasting\n- [x] sugar\n***\n===\n---\n```\ncode',
  '  two spaces before, two behind  \n\ttab',
  'first\n\nsecond\nthird',
  'see https://evil.example/"+x)<b>, www.evil.example/a_b and k.rao@example.com',
  ...hostileTexts,
])('rich text shows what was written: %j', (text) => {
  const markdown = markdownOf(text)
  expect(marksIn(markdown)).toEqual([])
  expect(shownBy(markdown)).toBe(text.trim())
  expect(textOfMarkdown(markdown)).toBe(text.trim())
})

test('so does any text of signs that have a meaning', () => {
  const sign = constantFrom(
    ...'*_`~[]()!<>#+-=|:&;\\{}"\'.1a \n'.split(''),
    '&lt;',
    '<b>',
    '](x)',
    '---',
    '***',
    '~~',
    'https://a.b/',
    'www.a.b',
    'c@d.e',
  )
  assert(
    property(array(sign, { maxLength: 30 }), (signs) => {
      const text = signs.join('')
      const markdown = markdownOf(text)
      expect(marksIn(markdown)).toEqual([])
      expect(shownBy(markdown).replaceAll(/\s+/g, ' ')).toBe(text.trim().replaceAll(/\s+/g, ' '))
    }),
    { numRuns: 1_000 },
  )
})
