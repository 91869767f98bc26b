import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTempDir } from '../../harness/temp-dir.ts'
import { withSection } from './sections.ts'

/** `folder`: of the scripts. `page`: gets the section of each. */
export type Place = { readonly folder: string; readonly page: string }

/** Runs the scripts one after another, and writes the figures of each into the page. Resolves with those that failed. */
export async function runProofs(names: readonly string[], place: Place): Promise<readonly string[]> {
  const failed: string[] = []
  for (const name of names) if (!(await prove(name, place))) failed.push(name)
  return failed
}

async function prove(name: string, { folder, page }: Place): Promise<boolean> {
  console.log(`\nprove: ${name}`)
  await using directory = await createTempDir()
  const report = join(directory.path, 'report.md')
  const child = spawn(process.execPath, [join(folder, `${name}.ts`)], { stdio: 'inherit', env: { ...process.env, PROVE_REPORT: report } })
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), name, readReport(report) ?? `### ${name}\n\nThe proof broke off.\n`))
  return code === 0
}

function readReport(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
