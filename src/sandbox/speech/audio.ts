import { z } from 'zod'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'

const fetchTimeoutMs = 10_000
const maxBytes = 100 * 1024 * 1024
const urlBody = z.object({ url: z.url({ protocol: /^https?$/ }) })

export type Refusal = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

/** The audio of a request: its body, or the file at the address in its JSON body. */
export async function audioOf(request: StandInRequest): Promise<Buffer | Refusal> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return request.body
  try {
    return await fetched(urlBody.parse(JSON.parse(request.body.toString())).url)
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      return { status: 400, body: { category: 'INVALID_JSON', message: 'Invalid JSON submitted.', details: 'Json deserialize error: url' } }
    }
    return remoteFault('The remote server hosting the media could not be reached.')
  }
}

async function fetched(url: string): Promise<Buffer | Refusal> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) })
  if (!answer.ok) {
    await answer.body?.cancel()
    return remoteFault(`The remote server hosting the media returned a client error: ${answer.status} ${answer.statusText}.`)
  }
  const bytes = Buffer.from(await answer.arrayBuffer())
  return bytes.length > maxBytes ? remoteFault('The media is too large.') : bytes
}

function remoteFault(message: string): Refusal {
  return { status: 400, body: { err_code: 'REMOTE_CONTENT_ERROR', err_msg: message } }
}

/** A recording, whole or the asked range of it. */
export function served(recording: Buffer, range: string | undefined): StandInAnswer {
  const headers = { 'content-type': 'audio/wav', 'accept-ranges': 'bytes' }
  const asked = /^bytes=(\d*)-(\d*)$/.exec(range ?? '')
  if (!asked || (asked[1] === '' && asked[2] === ''))
    return { headers: { ...headers, 'content-length': String(recording.length) }, body: recording }
  const last = recording.length - 1
  const from = asked[1] === '' ? Math.max(0, recording.length - Number(asked[2])) : Number(asked[1])
  const to = asked[1] === '' || asked[2] === '' ? last : Math.min(last, Number(asked[2]))
  if (from > to) return { status: 416, headers: { ...headers, 'content-range': `bytes */${recording.length}` }, body: '' }
  const part = recording.subarray(from, to + 1)
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${from}-${to}/${recording.length}`, 'content-length': String(part.length) },
    body: part,
  }
}
