import type { Dispatcher } from 'undici'
import { AppError } from '../../../kernel/errors.ts'
import { httpRequest } from '../../../kernel/http-client.ts'
import { accountWords, type Answer, isAccessRefused, judge, who } from './answers.ts'
import { ozonetelRefusal } from './refusals.ts'
import type { OzonetelSettings } from './settings.ts'
import type { Tokens } from './tokens.ts'

/** Fields of a request; undefined ones are left out. */
export type Fields = Readonly<Record<string, string | undefined>>

/** Sends one request for the account and classifies the answer. A refusal that does not concern the access is returned to the calling code. */
export interface OzonetelClient {
  /** For `/ca_apis/...` and `/ca_reports/...`. GET also sends its fields as a JSON body. */
  api(request: { method: 'GET' | 'POST'; path: string; fields: Fields; signal: AbortSignal }): Promise<Answer>
  /** For agent sign-in and sign-out, with the agent in HTTP Basic and the account in a form. */
  agentForm(request: { path: string; agentId: string; password: string; fields: Fields; signal: AbortSignal }): Promise<Answer>
  /** For the older GET interface, with the account in the query. */
  query(request: { path: string; fields: Fields; signal: AbortSignal }): Promise<Answer>
  /** For the event subscription host, which answers in plain text. */
  subscribe(request: { urls: Fields; signal: AbortSignal }): Promise<void>
}

type Access = { readonly settings: OzonetelSettings; readonly tokens: Tokens; readonly dispatcher?: Dispatcher | undefined }

export function createClient(settings: OzonetelSettings, parts: Omit<Access, 'settings'>): OzonetelClient {
  const access = { ...parts, settings }
  return {
    api: (request) => (settings.authentication === 'TOKEN' ? withToken(access, request) : withKey(access, request)),
    agentForm: (request) => sendAgentForm(access, request),
    query: (request) => sendQuery(access, request),
    subscribe: (request) => subscribe(access, request),
  }
}

type ApiRequest = Parameters<OzonetelClient['api']>[0]

async function send({ settings, dispatcher }: Access, request: ApiRequest, headers: Record<string, string>) {
  const { method, path, fields, signal } = request
  const received = await httpRequest({
    who,
    url: settings.apiUrl + path,
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ userName: settings.account, ...fields }),
    signal,
    dispatcher,
  })
  return { status: received.status, answer: judge(received) }
}

async function withKey(access: Access, request: ApiRequest): Promise<Answer> {
  const { status, answer } = await send(access, request, { apiKey: access.settings.apiKey })
  if (isAccessRefused(status, answer)) throw accountRefused(answer)
  return answer
}

/** Replaces a refused token and repeats the request. This is safe because the refused request had no effect. */
async function withToken(access: Access, request: ApiRequest): Promise<Answer> {
  const { tokens } = access
  const token = await tokens.current(request.signal)
  const first = await send(access, request, { authorization: `Bearer ${token}` })
  if (!isAccessRefused(first.status, first.answer)) return first.answer
  const renewed = first.status === 403 ? null : await tokens.replacement(token, request.signal)
  if (renewed === null) throw accountRefused(first.answer)
  // A sign-in may have ended this token, too. There are few tokens an hour, so this ends soon.
  for (let next = renewed; ;) {
    const { status, answer } = await send(access, request, { authorization: `Bearer ${next}` })
    if (!isAccessRefused(status, answer)) return answer
    const newer = await tokens.newer(next, request.signal)
    if (newer === null) {
      await tokens.markUseless()
      throw accountRefused(answer)
    }
    next = newer
  }
}

async function sendAgentForm({ settings, dispatcher }: Access, request: Parameters<OzonetelClient['agentForm']>[0]): Promise<Answer> {
  const { path, agentId, password, fields, signal } = request
  const received = await httpRequest({
    who,
    url: settings.apiUrl + path,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${agentId}:${password}`).toString('base64')}`,
    },
    body: encoded({ userName: settings.account, apiKey: settings.apiKey, ...fields }),
    signal,
    dispatcher,
  })
  return accepted(judge(received))
}

async function sendQuery({ settings, dispatcher }: Access, request: Parameters<OzonetelClient['query']>[0]): Promise<Answer> {
  const { path, fields, signal } = request
  const query = encoded({ userName: settings.account, apiKey: settings.apiKey, ...fields })
  return accepted(judge(await httpRequest({ who, url: `${settings.apiUrl}${path}?${query}`, method: 'GET', signal, dispatcher })))
}

async function subscribe({ settings, dispatcher }: Access, request: Parameters<OzonetelClient['subscribe']>[0]): Promise<void> {
  const { status, text } = await httpRequest({
    who,
    url: `${settings.eventsUrl}/events/subscribe`,
    method: 'POST',
    headers: { 'content-type': 'application/json', api_key: settings.apiKey, username: settings.account },
    body: JSON.stringify(request.urls),
    signal: request.signal,
    dispatcher,
  })
  if (status >= 500 || status === 429) {
    const detail = `The telephony provider does not take subscriptions at the moment (status ${status})`
    throw new AppError('PROVIDER_UNAVAILABLE', { detail, cause: ozonetelRefusal(`HTTP_${status}`, null) })
  }
  if (status === 401 || status === 403) throw accountRefused({ succeeded: false, text: '', body: {} })
  if (status < 400 && !/error|fail|invalid/i.test(text)) return
  const detail = `The telephony provider does not take the subscription to live events (status ${status}): check its address and PUBLIC_URL`
  throw new AppError('PROVIDER_REFUSED', { detail, cause: ozonetelRefusal(`HTTP_${status}`, null) })
}

/** Detects a refused account by its message, because a 401 can also mean the agent. */
function accepted(answer: Answer): Answer {
  if (isAccessRefused(200, answer)) throw accountRefused(answer)
  return answer
}

function encoded(fields: Fields): string {
  return new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))).toString()
}

function accountRefused(answer: Answer): AppError {
  return new AppError('PROVIDER_REFUSED', {
    detail: "The telephony provider refuses the account's name, API key or authentication mode",
    cause: ozonetelRefusal('account', accountWords(answer)),
  })
}
