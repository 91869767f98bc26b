import { z } from 'zod'
import type { TestApp } from './app.ts'
import { waitFor } from './wait-for.ts'

export const healthSchema = z.object({
  status: z.string(),
  parts: z.record(z.string(), z.looseObject({ state: z.string(), reason: z.string().optional() })),
})
const readySchema = z.object({ ready: z.boolean(), reasons: z.array(z.string()) })

/** What `/health` says of one part. */
export async function partOf(app: Pick<TestApp, 'url'>, name: string) {
  return healthSchema.parse(await (await fetch(`${app.url}/health`)).json()).parts[name]
}

export const becomes = (app: Pick<TestApp, 'url'>, name: string, wanted: string) =>
  waitFor(
    async () => {
      const part = await partOf(app, name)
      return part?.state === wanted && part
    },
    { what: `${name} to be ${wanted}` },
  )

export async function readiness(app: Pick<TestApp, 'url'>) {
  const response = await fetch(`${app.url}/ready`)
  return { status: response.status, ...readySchema.parse(await response.json()) }
}
