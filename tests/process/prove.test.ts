import { describe, expect, test } from 'vitest'
import { withSection } from '../prove/stage/sections.ts'

const section = (name: string, text: string): string => `<!-- npm run prove -- ${name} -->\n\n${text}\n\n<!-- end -->\n`

describe('npm run prove writes docs/reliability.md', () => {
  const page = `# Reliability\n\n${section('calls', 'old')}\n${section('widget', 'same')}\n## Other things\n`

  test.each([
    ['in the place of the former section', 'calls', page.replace('old', 'new')],
    [
      'between the others, by name',
      'events',
      page.replace(section('widget', 'same'), `${section('events', 'new')}\n${section('widget', 'same')}`),
    ],
    ['after the last', 'zones', page.replace(section('widget', 'same'), `${section('widget', 'same')}\n${section('zones', 'new')}`)],
  ])('%s', (_, name, expected) => expect(withSection(page, name, 'new\n')).toBe(expected))

  test('a page without sections gets the first one at its end', () => {
    expect(withSection('# Reliability\n', 'calls', 'new')).toBe(`# Reliability\n\n${section('calls', 'new')}`)
  })

  test('a section without its end is not overwritten', () => {
    expect(() => withSection('<!-- npm run prove -- calls -->\nold', 'calls', 'new')).toThrow('without its end')
  })
})
