import { copyFile, rm, writeFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { exists, folder, generate, npmTools, runProgram } from './tools.ts'

/** A program that uses a generated client: how it is started. Arguments follow. */
export type ClientProgram = { readonly program: string; readonly parameters: readonly string[]; readonly cwd: string }
/** Generates the client from the document and compiles the program. Throws if the compiler finds an error. */
export type Language = (document: string) => Promise<ClientProgram>

const programs = resolve(import.meta.dirname, 'programs')

/** openapi-typescript and openapi-fetch, with the strictest TypeScript 5. */
const typescript: Language = async (document) => {
  const directory = await npmTools()
  const bin = (name: string): string => join(directory, 'node_modules', '.bin', name)
  await runProgram(bin('openapi-typescript'), [document, '-o', 'schema.d.ts'], directory)
  await copyFile(join(programs, 'main.mts'), join(directory, 'main.mts'))
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit', '--allowImportingTsExtensions']
  const target = ['--target', 'es2023', '--lib', 'es2023,dom', '--module', 'nodenext', '--skipLibCheck', '--types', 'node']
  await runProgram(bin('tsc'), [...strict, ...target, 'main.mts'], directory)
  return { program: process.execPath, parameters: ['main.mts'], cwd: directory }
}

/** openapi-generator's Python client, in an environment of its own. */
const python: Language = async (document) => {
  await rm(await folder('python', 'generated'), { recursive: true })
  const generated = await generate('python', document, ['packageName=sidecar'])
  const environment = await folder('python', 'environment')
  const interpreter = join(environment, 'bin', 'python')
  if (!(await exists(interpreter))) await runProgram('python3', ['-m', 'venv', environment])
  await runProgram(interpreter, ['-m', 'pip', 'install', '--quiet', '--requirement', join(generated, 'requirements.txt')])
  await copyFile(join(programs, 'main.py'), join(generated, 'main.py'))
  return { program: interpreter, parameters: ['main.py'], cwd: generated }
}

/** openapi-generator's Java client for the JDK's own HTTP client, compiled by javac. */
const java: Language = async (document) => {
  await rm(await folder('java', 'generated'), { recursive: true })
  const generated = await generate('java', document, ['library=native', 'openApiNullable=false', 'hideGenerationTimestamp=true'])
  const jars = await folder('java', 'jars')
  const goal = ['dependency:copy-dependencies', '-DincludeScope=compile', `-DoutputDirectory=${jars}`]
  await runProgram('mvn', ['--batch-mode', '--quiet', '--file', join(generated, 'pom.xml'), ...goal])
  const classes = await folder('java', 'generated', 'classes')
  const sources = globSync('src/main/java/**/*.java', { cwd: generated })
  const classPath = ['-cp', `${join(jars, '*')}:${classes}`]
  await writeFile(join(generated, 'sources.txt'), sources.join('\n'))
  await runProgram('javac', ['-nowarn', ...classPath, '-d', classes, '@sources.txt', join(programs, 'Main.java')], generated)
  return { program: 'java', parameters: [...classPath, 'Main'], cwd: generated }
}

export const languages: Readonly<Record<string, Language>> = { typescript, python, java }
