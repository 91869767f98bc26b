import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const pom = resolve(import.meta.dirname, 'pom.xml')
const cache = resolve(import.meta.dirname, '../../.cache/kafka-4.0.0')

/** The folder with Kafka's jars, downloaded once from Maven Central into tests/.cache; null if that fails. */
export async function kafkaJars(maven: string | null): Promise<string | null> {
  if (await isComplete(cache)) return cache
  if (maven === null) return null
  const fetched = `${cache}-${process.pid}`
  try {
    await mkdir(dirname(cache), { recursive: true })
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${fetched}`]
    await run(maven, ['--batch-mode', '--quiet', '--file', pom, ...goal], { timeout: 300_000 })
    await rename(fetched, cache).catch(() => undefined)
  } catch {
    return null
  } finally {
    await rm(fetched, { recursive: true, force: true })
  }
  return (await isComplete(cache)) ? cache : null
}

async function isComplete(folder: string): Promise<boolean> {
  const jars = await readdir(folder).catch((): string[] => [])
  return jars.includes('kafka_2.13-4.0.0.jar') && jars.includes('kafka-clients-4.0.0.jar')
}

/** The class path of all jars in a folder. */
export function classPath(folder: string): string {
  return join(folder, '*')
}
