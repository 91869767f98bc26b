import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { z } from 'zod'

const axeSchema = z.array(z.object({ id: z.string(), impact: z.string().nullish(), targets: z.array(z.string()) }))

/** What axe finds on the page; of the smallest impact too. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source};0`)
  const found = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, targets: nodes.map(({ target }) => target.join(' ')) })))`,
  )
  return axeSchema.parse(found).map(({ id, impact, targets }) => `${impact} ${id}: ${targets.join('; ')}`)
}
