import { writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

/** One line of the reliability table. */
export type Figure = { readonly claim: string; readonly figure: string; readonly holds: boolean }

/**
 * Runs a prove script: the parts that the command line names, or all, one after another. Prints their figures as a Markdown table with date and
 * machine, and sets the exit code: 0 if every figure holds, 1 if one does not, 2 if there is no such part. A part that throws is a figure
 * that does not hold. `PART:WHAT` runs a part for one thing only.
 */
export async function proveParts(
  title: string,
  parts: Readonly<Record<string, (only?: string) => Promise<readonly Figure[]>>>,
): Promise<void> {
  const asked = process.argv.slice(2).map((name) => name.split(':'))
  const named = asked.map(([name = '']) => name)
  const unknown = named.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0) {
    console.error(`${unknown.join(', ')}: there is no such part. The parts are ${Object.keys(parts).join(', ')}.`)
    process.exitCode = 2
    return
  }
  const report = startReport(title)
  const figures: Figure[] = []
  for (const [name, prove] of Object.entries(parts)) {
    if (named.length > 0 && !named.includes(name)) continue
    say(`proving: ${name}`)
    const only = asked.find(([known]) => known === name)?.[1]
    figures.push(...(await prove(only).catch((error: unknown) => [failure(name, error)])))
  }
  report(figures)
}

/**
 * Begins a report. The returned function prints it as Markdown (figures, then details, if there are any) and sets the exit code.
 */
export function startReport(title: string): (figures: readonly Figure[], details?: string) => void {
  const [startedAt, load] = [performance.now(), loadavg()[0] ?? 0]
  return (figures, details = '') => {
    const circumstances = `${machine()}, load average ${load.toFixed(1)} at the start, ${duration(performance.now() - startedAt)}`
    const section = sectionOf(title, circumstances, figures) + details
    console.log(`\n${section}`)
    // `npm run prove` reads the section from this file.
    const { PROVE_REPORT: file } = process.env
    if (file !== undefined) writeFileSync(file, section)
    process.exitCode = figures.length > 0 && figures.every(({ holds }) => holds) ? 0 : 1
  }
}

function failure(name: string, error: unknown): Figure {
  console.error(error)
  return { claim: name, figure: `broke off: ${error instanceof Error ? error.message : String(error)}`, holds: false }
}

function machine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version.slice(1)}`
}

function duration(ms: number): string {
  return ms < 90_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} minutes`
}

function sectionOf(title: string, circumstances: string, figures: readonly Figure[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
  const rows = figures.map(({ claim, figure, holds }) => `| ${cell(claim)} | ${cell(figure)} | ${holds ? 'holds' : '**does not hold**'} |`)
  const date = new Date().toISOString().slice(0, 10)
  return [`### ${title}\n`, `${date}, ${circumstances}\n`, '| what | figure | |\n|---|---|---|', ...rows, ''].join('\n')
}

/** Says on standard error what is being done, so that a person sees it go on. */
export function say(what: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)
}
