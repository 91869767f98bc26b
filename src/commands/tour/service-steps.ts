import { z } from 'zod'
import { type Api, read } from './api.ts'
import type { StepResult } from './step-result.ts'

const healthSchema = z.object({
  status: z.enum(['ok', 'degraded', 'up']),
  // For operators: the tour is one in the sandbox.
  parts: z.record(z.string(), z.object({ state: z.string(), checkMs: z.number().nullable() })).default({}),
})

export async function serviceIsWell(api: Api): Promise<StepResult> {
  const { status, parts } = read(await api.rest('GET', '/health'), 200, healthSchema)
  const states = Object.entries(parts).map(([name, { state, checkMs }]) => `${name} ${state}${checkMs === null ? '' : ` (${checkMs} ms)`}`)
  return { summary: [status, states.join(', ')].filter((text) => text !== '').join(': '), value: undefined }
}
