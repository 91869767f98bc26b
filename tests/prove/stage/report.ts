import { cpus, totalmem } from 'node:os'

/** One line of the reliability table. */
export type Figure = { readonly claim: string; readonly figure: string; readonly holds: boolean }

/** Prints figures as a Markdown table with date and machine; exit code 1 where one does not hold. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
  const rows = figures.map(({ claim, figure, holds }) => `| ${claim} | ${figure} | ${holds ? 'holds' : '**does not hold**'} |`)
  console.log(
    `\n### ${title}\n\n${new Date().toISOString().slice(0, 10)}, ${machine}\n\n| what | figure | |\n|---|---|---|\n${rows.join('\n')}\n`,
  )
  if (figures.some(({ holds }) => !holds)) process.exitCode = 1
}

/** Says on standard error what is being done, so that a person sees it go on. */
export function say(what: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)
}
