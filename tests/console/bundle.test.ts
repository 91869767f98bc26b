import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { realServer } from '../harness/real-server.ts'

await realServer('pages')
const kib = 1_024
const chunkSchema = z.object({ file: z.string(), css: z.array(z.string()).default([]), imports: z.array(z.string()).default([]) })
const manifest = z.record(z.string(), chunkSchema).parse(JSON.parse(readFileSync('dist/console/manifest.json', 'utf8')))

/** The files that a browser loads for these entries. */
function filesOf(entries: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const name of entries) {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`${name} was not built`)
    if (found.has(chunk.file)) continue
    for (const file of [chunk.file, ...chunk.css]) found.add(file)
    filesOf(chunk.imports, found)
  }
  return found
}

function compressedKib(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(`dist/console/${file}`), { level: 9 }).length, 0) / kib
}

test('the first screen of an agent is at most 200 KiB by gzip, the sign-in at most 130', () => {
  expect(compressedKib(filesOf(['index.html', 'style.css']))).toBeLessThanOrEqual(130)
  expect(
    compressedKib(filesOf(['index.html', 'style.css', 'app/router.tsx', 'app/shell.tsx', 'areas/desk/desk-screen.tsx'])),
  ).toBeLessThanOrEqual(200)
})

test('the whole console is at most 450 KiB by gzip', () => {
  const all = Object.values(manifest).flatMap(({ file, css }) => [file, ...css])
  expect(compressedKib(new Set(all))).toBeLessThanOrEqual(450)
})
