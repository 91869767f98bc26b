import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { logEvents } from '../../src/kernel/log-events.ts'
import { restTable } from '../../src/server/rest/table.ts'
import { measureStructure } from './structure.ts'
import { refused } from './words.ts'

/** The tables of pages that are made from the code, by the name in the mark before them: `<!-- npm run codegen (figures) -->`. */
const tables: Readonly<Record<string, () => string>> = {
  alerts: alertsTable,
  figures: figuresTable,
  log: logTable,
  refused: refusedWords,
  rest: restOperations,
  settings: settingsTables,
}

/**
 * For graphql-codegen: a page with its marked tables made again. `npm run codegen` writes them; the check compares them.
 */
export function plugin(...[, , , { outputFile }]: readonly [unknown, unknown, unknown, { readonly outputFile: string }]): string {
  return withTables(readFileSync(outputFile, 'utf8'))
}

function withTables(page: string): string {
  return page.replaceAll(/(<!-- npm run codegen \((\w+)\) -->\n)[\s\S]*?(?=<!-- end -->)/g, (_, mark: string, name: string) => {
    const table = tables[name]
    if (!table) throw new Error(`There is no table "${name}"; allowed are ${Object.keys(tables).join(', ')}`)
    return `${mark}${table()}\n`
  })
}

/** Sizes are rounded, so that not every change of the code changes the page. */
function figuresTable(): string {
  const rows = measureStructure('.').map(({ name, value, limit }) =>
    limit === undefined
      ? `| ${name} | ${rounded(value)} | |`
      : `| ${name} | ${value.toLocaleString('en')} | ${limit.toLocaleString('en')} |`,
  )
  return ['| figure | now | limit |', '|---|---|---|', ...rows].join('\n')
}

/** To two digits. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}

function restOperations(): string {
  const rows = restTable.map(({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`)
  return ['| operation | what it does |', '|---|---|', ...rows].join('\n')
}

const alertRules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), annotations: z.object({ action: z.string() }) })) })),
})

function alertsTable(): string {
  const { groups } = alertRules.parse(parse(readFileSync('deploy/prometheus/rules.yml', 'utf8')))
  const rows = groups.flatMap(({ rules }) => rules.map(({ alert, annotations }) => `| \`${alert}\` | ${annotations.action} |`))
  return ['| alert | what to do |', '|---|---|', ...rows].join('\n')
}

function logTable(): string {
  const rows = Object.entries(logEvents).map(([event, meaning]) => `| \`${event}\` | ${linked(meaning)} |`)
  return ['| event | meaning |', '|---|---|', ...rows].join('\n')
}

function refusedWords(): string {
  return ['| refused | write |', '|---|---|', ...Object.entries(refused).map(([word, other]) => `| ${word} | ${other} |`)].join('\n')
}

/** `.env.example`: comments, then the settings that they explain. A setting that is a comment itself has no default but an example. */
function settingsTables(): string {
  const [, ...sections] = readFileSync('.env.example', 'utf8').split(/^# --- /m)
  return sections
    .map((section) => {
      const title = /^(.+?) -+\n/.exec(section)?.[1] ?? ''
      const rows = [...section.matchAll(/((?:^# (?!\w+=).*\n)*)((?:^(?:# )?[A-Z\d_]+=.*\n)+)/gm)].map(([, comment = '', lines = '']) => {
        const settings = [...lines.matchAll(/^(# )?([A-Z\d_]+)=(.*)$/gm)]
        const names = settings.map(([, , name = '']) => `\`${name}\``).join(' ')
        const values = settings.map(([, isExample, , value = '']) => (isExample || value === '' ? '' : `\`${value}\``))
        const meaning = comment.replaceAll(/^# /gm, '').replaceAll('\n', ' ').trim()
        return `| ${names} | ${values.filter(Boolean).join(' ')} | ${linked(meaning)} |`
      })
      return [`**${linked(title)}**`, '', '| setting | default | meaning |', '|---|---|---|', ...rows].join('\n')
    })
    .join('\n\n')
}

/** As Markdown: `docs/operations.md#stop` becomes a link from a page beside it. */
function linked(text: string): string {
  return text.replaceAll('*', String.raw`\*`).replaceAll(/docs\/(([a-z-]+)\.md(?:#[a-z-]+)?)/g, '[$2]($1)')
}
