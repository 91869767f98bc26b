import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTempDir } from '../harness/temp-dir.ts'
import { runProofs } from '../prove/stage/run-proofs.ts'
import { withSection } from '../prove/stage/sections.ts'
import { takeUncaughtErrors } from '../harness/uncaught-errors.ts'

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

test('a figure that does not hold and a script that breaks off fail, and the others run', async () => {
  await using folder = await createTempDir()
  const place = { folder: folder.path, page: join(folder.path, 'reliability.md') }
  await writeFile(place.page, '# Reliability\n')
  const reports = (text: string, code: number): string => `
    import { writeFileSync } from 'node:fs'
    writeFileSync(process.env['PROVE_REPORT'] ?? '', '${text}')
    process.exitCode = ${code}`
  await writeFile(join(folder.path, 'bad.ts'), reports('does not hold', 1))
  await writeFile(join(folder.path, 'broken.ts'), 'throw new Error()')
  await writeFile(join(folder.path, 'good.ts'), reports('holds', 0))
  expect(await runProofs(['bad', 'broken', 'good'], place)).toEqual(['bad', 'broken'])
  const page = await readFile(place.page, 'utf8')
  expect(page).toBe(
    `# Reliability\n\n${section('bad', 'does not hold')}\n${section('broken', '### broken\n\nThe proof broke off.')}\n${section('good', 'holds')}`,
  )
  // Of the script that breaks off.
  expect(takeUncaughtErrors()).toHaveLength(1)
})
