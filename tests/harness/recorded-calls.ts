import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'
import type { TestApp } from './app.ts'
import type { SeededCall } from './recordings.ts'

const utterancesSchema = z.object({ utterances: z.array(z.object({ start: z.number(), text: z.string(), role: z.string() })) })

/** Analyses the call and returns its utterances. */
export async function analysed(app: TestApp, token: string, { id }: SeededCall) {
  const { status, body } = await app.rest('POST', '/api/recordings/analyze', { token, body: { callId: id } })
  expect(status).toBe(200)
  return utterancesSchema.parse(body).utterances
}

export function callAt(calls: readonly SeededCall[], index: number): SeededCall {
  const call = calls[index]
  if (!call) throw new Error('the sandbox has fewer recordings')
  return call
}

export const rowsOf = (page: Page): Locator => page.getByRole('list', { name: 'Calls that were found' }).locator(':scope > li')
export const place = (page: Page): Locator => page.getByRole('slider', { name: 'Place in the recording' })
export const secondsAt = async (page: Page): Promise<number> => Number(await place(page).getAttribute('aria-valuenow'))
