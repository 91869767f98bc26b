import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { StartError } from '../kernel/start-error.ts'

/**
 * `npm run pin-images`: writes the present digest behind every image of the Dockerfile and compose.yaml, or renews it. A tag can be moved by its owner, a
 * digest cannot. It asks the registry by Docker, so it takes a network.
 */
const files = ['Dockerfile', 'compose.yaml']
/** `FROM node:24.21.0-trixie-slim AS ...`, `image: redis:...`; names of stages have no tag. */
const reference = /^(FROM | {4}image: )([\w./-]+:[\w.-]+)(?:@sha256:[\da-f]{64})?/gm

const run = promisify(execFile)
const manifestSchema = z.object({ digest: z.string().regex(/^sha256:[\da-f]{64}$/) })

async function digestOf(image: string): Promise<string> {
  try {
    const { stdout } = await run('docker', ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest}}'], {
      timeout: 60_000,
    })
    return manifestSchema.parse(JSON.parse(stdout)).digest
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new StartError('There is no docker on PATH: it asks the registry')
    const message =
      error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : 'docker buildx gave an answer that cannot be read'
    throw new StartError(`${image}: ${message}. No file was changed`)
  }
}

/** Returns a line for each image. */
async function pinImages(): Promise<readonly string[]> {
  const texts = await Promise.all(files.map(async (name) => ({ name, text: await readFile(name, 'utf8') })))
  const images = new Set(texts.flatMap(({ text }) => [...text.matchAll(reference)].map(([, , image = '']) => image)))
  const digests = new Map<string, string>()
  for (const image of images) digests.set(image, await digestOf(image))
  for (const { name, text } of texts) {
    await writeFile(
      name,
      text.replaceAll(reference, (_, before: string, image: string) => `${before}${image}@${digests.get(image)}`),
    )
  }
  return [...digests].map(([image, digest]) => `${image} is ${digest}`)
}

try {
  process.stdout.write(`${(await pinImages()).join('\n')}\n`)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
