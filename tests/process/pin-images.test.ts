import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createTempDir } from '../harness/temp-dir.ts'

type Ran = { readonly code: number; readonly output: string }

/** Runs the command in the folder, with only this folder's programs on PATH. */
function pin(folder: string): Promise<Ran> {
  const env = { PATH: join(folder, 'bin') }
  return new Promise((done) => {
    execFile(process.execPath, [resolve('src/commands/pin-images.ts')], { cwd: folder, env }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    )
  })
}

const digestOf = (digit: string): string => `sha256:${digit.repeat(64)}`

/** A program in the place of docker, which answers as buildx does (`{{json .Manifest}}`). */
async function installDocker(folder: string, node: string): Promise<void> {
  const path = join(folder, 'bin', 'docker')
  await writeFile(
    path,
    `#!/bin/sh
[ "$1 $2 $3 $5 $6" = "buildx imagetools inspect --format {{json .Manifest}}" ] || { echo "unknown: $*" >&2; exit 1; }
case "$4" in
  node:*) digest=${node} ;;
  redis:*) digest=${digestOf('b')} ;;
  apache/kafka:*) digest=${digestOf('c')} ;;
  *) echo "ERROR: $4: not found" >&2; exit 1 ;;
esac
echo "{\\"schemaVersion\\":2,\\"mediaType\\":\\"application/vnd.oci.image.index.v1+json\\",\\"digest\\":\\"$digest\\",\\"size\\":10}"
`,
  )
  await chmod(path, 0o755)
}

test('npm run pin-images adds the digest of every image, changes nothing else, and renews the digests later', async () => {
  await using folder = await createTempDir()
  await mkdir(join(folder.path, 'bin'))
  for (const name of ['Dockerfile', 'compose.yaml']) await copyFile(name, join(folder.path, name))
  const texts = async (): Promise<readonly string[]> =>
    Promise.all(['Dockerfile', 'compose.yaml'].map((name) => readFile(join(folder.path, name), 'utf8')))
  const before = await texts()
  expect(await pin(folder.path)).toMatchObject({ code: 1, output: expect.stringMatching(/docker .*PATH/) as unknown })
  for (const digit of ['a', 'd']) {
    await installDocker(folder.path, digestOf(digit))
    const { code, output } = await pin(folder.path)
    expect([code, output.trim().split('\n').length]).toEqual([0, 3])
    const after = (await texts()).join('')
    expect(after.match(/^FROM node:[\d.]+[\w-]*@sha256:\w{64}( AS \w+)?$/gm)).toHaveLength(3)
    expect(after.match(new RegExp(digestOf(digit), 'g'))).toHaveLength(3)
    expect(after).toMatch(new RegExp(`image: redis:\\S+@${digestOf('b')}\\n[^]*image: apache/kafka:\\S+@${digestOf('c')}\\n`))
    expect(after.replaceAll(/@sha256:\w{64}/g, '')).toBe(before.join('').replaceAll(/@sha256:\w{64}/g, ''))
  }
  // A tag that the registry does not have changes no file.
  const [dockerfile = ''] = await texts()
  await writeFile(join(folder.path, 'compose.yaml'), 'services:\n  a:\n    image: nobody:1.0.0\n')
  await installDocker(folder.path, digestOf('e'))
  expect(await pin(folder.path)).toMatchObject({ code: 1, output: expect.stringContaining('nobody:1.0.0') as unknown })
  expect((await texts())[0]).toBe(dockerfile)
})
