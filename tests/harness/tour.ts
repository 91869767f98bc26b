import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import type { TestApp } from './app.ts'

type Run = { readonly code: number | null; readonly out: string; readonly err: string }

/** The tour as a person runs it, in a process of its own; with `until` it is interrupted as soon as it has said that. */
export async function runTour(
  parameters: readonly string[],
  { environment = {}, until }: { environment?: Record<string, string>; until?: string } = {},
): Promise<Run> {
  const { FORCE_COLOR: _forced, TOUR_PASSWORD: _password, ...inherited } = process.env
  const child = spawn(process.execPath, ['src/commands/tour.ts', ...parameters], { env: { ...inherited, ...environment } })
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const err = text(child.stderr)
  let out = ''
  for await (const chunk of child.stdout) {
    const wasPrinted = until === undefined || out.includes(until)
    out += String(chunk)
    if (!wasPrinted && until !== undefined && out.includes(until)) child.kill('SIGINT')
  }
  return { code: await closed, out, err: await err }
}

/** How each step went. */
export const marks = (out: string): string[] => [...out.matchAll(/^ ?\d+ {2}(.) /gm)].map(([, mark = '']) => mark)

/** Whether nobody holds the session of this agent: signs in as the agent, and out again. */
export async function isFree(app: TestApp, email: string): Promise<boolean> {
  const { status, body } = await app.rest('POST', '/auth/login', { body: { email, password: sandboxPassword, workspace: 'demo' } })
  if (status !== 200) return false
  const { token } = readToken(body)
  await app.rest('POST', '/auth/logout', { token })
  return true
}

function readToken(body: unknown): { token: string } {
  const token = /"accessToken":\{"token":"([^"]+)"/.exec(JSON.stringify(body))?.[1]
  if (token === undefined) throw new Error('no access token')
  return { token }
}
