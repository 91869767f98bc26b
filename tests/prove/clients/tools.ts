import { execFile } from 'node:child_process'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)
const cache = resolve(import.meta.dirname, '../../.cache/clients')
const generatorVersion = '7.25.0'
const npmPackages = { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0', typescript: '5.9.3', '@types/node': '24.19.2' }
const patienceMs = 540_000
/** What a program wrote before it failed. */
const writtenSchema = z.looseObject({ stdout: z.string().catch(''), stderr: z.string().catch('') })

/** Runs a program to its end. Throws an error with what it wrote. */
export async function runProgram(program: string, parameters: readonly string[], cwd = cache): Promise<string> {
  try {
    return (await run(program, [...parameters], { cwd, timeout: patienceMs, maxBuffer: 64 * 1_024 * 1_024 })).stdout
  } catch (error) {
    const { stdout, stderr } = writtenSchema.parse(error)
    throw new Error(`${program} ${parameters.join(' ')}\n${`${stdout}${stderr}`.slice(-4_000)}`, { cause: error })
  }
}

/** A folder of tests/.cache, made if it does not exist. */
export async function folder(...names: readonly string[]): Promise<string> {
  const path = join(cache, ...names)
  await mkdir(path, { recursive: true })
  return path
}

/** The folder with openapi-typescript and the TypeScript 5 that it needs, installed once by npm. */
export async function npmTools(): Promise<string> {
  const directory = await folder('node')
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: npmPackages })
  const installed = await readFile(join(directory, 'package.json'), 'utf8').catch(() => '')
  if (installed !== manifest || !(await exists(join(directory, 'node_modules', 'typescript')))) {
    await writeFile(join(directory, 'package.json'), manifest)
    await runProgram('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], directory)
  }
  return directory
}

/** Generates a client in an empty folder. The generator's jar comes from Maven Central, once. */
export async function generate(generator: 'python' | 'java', document: string, properties: readonly string[]): Promise<string> {
  const jar = join(await folder(), `openapi-generator-cli-${generatorVersion}.jar`)
  if (!(await exists(jar))) {
    const artifact = `org.openapitools:openapi-generator-cli:${generatorVersion}`
    await runProgram('mvn', ['--batch-mode', '--quiet', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${cache}`])
  }
  const output = await folder(generator, 'generated')
  const options = [
    '--skip-operation-example',
    '-g',
    generator,
    '-i',
    document,
    '-o',
    output,
    `--additional-properties=${properties.join(',')}`,
  ]
  await runProgram('java', ['-jar', jar, 'generate', ...options])
  return output
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
