import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ClientDesk, openClientDesk } from '../harness/client-desk.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const curl = (await realServer('curl'))?.binary
const run = promisify(execFile)

const uploadedSchema = z.object({ data: z.object({ uploadWorkspaceMemberProfilePicture: z.object({ size: z.number(), url: z.url() }) }) })

let desk: ClientDesk
beforeAll(async () => {
  desk = await openClientDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

const parametersOf = (query: string, token: string | null, type = 'application/json') => [
  '--silent',
  '--show-error',
  '--header',
  `content-type: ${type}`,
  ...(token === null ? [] : ['--header', `authorization: Bearer ${token}`]),
  '--data',
  JSON.stringify({ query }),
  desk.endpoint,
]

/** What curl printed of the answer, and its status. */
async function ask(parameters: readonly string[]): Promise<{ readonly status: number; readonly body: unknown }> {
  const { stdout } = await run(curl ?? '', [...parameters, '--write-out', '\n%{http_code}'])
  const end = stdout.lastIndexOf('\n')
  const body: unknown = JSON.parse(stdout.slice(0, end))
  return { status: Number(stdout.slice(end + 1)), body }
}

describe.skipIf(curl === undefined)('curl', () => {
  test('queries both sides in one operation, compressed too', async () => {
    const query = '{ me { role } leads(first: 1) { edges { node { id } } } }'
    const plain = await ask(parametersOf(query, desk.agent.token))
    expect(plain).toMatchObject({ status: 200, body: { data: { me: { role: 'AGENT' }, leads: { edges: [{}] } } } })
    expect(await ask(['--compressed', ...parametersOf(query, desk.agent.token)])).toEqual(plain)
  })

  test('runs a mutation of ours', async () => {
    const { body } = await ask(
      parametersOf('mutation { setAgentState(input: { state: READY }) { providerAgentId state } }', desk.agent.token),
    )
    expect(body).toEqual({ data: { setAgentState: { providerAgentId: 'agent1', state: 'READY' } } })
  })

  test('gets an error message that explains what is wrong', async () => {
    expect(await ask(parametersOf('{ me { role } }', null))).toMatchObject({
      status: 200,
      body: { errors: [{ path: ['me'], extensions: { code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' } }] },
    })
    const form = await ask(parametersOf('{ me { role } }', desk.agent.token, 'application/x-www-form-urlencoded'))
    expect(form).toMatchObject({ status: 415, body: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] } })
  })

  test('uploads a file to the platform', async () => {
    const query = 'mutation($file: Upload!) { uploadWorkspaceMemberProfilePicture(file: $file) { id path size url } }'
    const answer = await ask([
      '--silent',
      '--header',
      `authorization: Bearer ${desk.agent.token}`,
      '--form',
      `operations=${JSON.stringify({ query, variables: { file: null } })}`,
      '--form',
      'map={"0":["variables.file"]}',
      '--form',
      `0=@${import.meta.filename};type=text/plain`,
      desk.endpoint.replace('/graphql', '/metadata'),
    ])
    const { uploadWorkspaceMemberProfilePicture: kept } = uploadedSchema.parse(answer.body).data
    const own = await readFile(import.meta.filename, 'utf8')
    expect(kept.size).toBe(Buffer.byteLength(own))
    const { pathname, search } = new URL(kept.url)
    expect(await (await fetch(desk.app.standIns.platform.url + pathname + search)).text()).toBe(own)
  })

  test('-N shows a subscription event by event', async () => {
    const query = 'subscription { callEvents { kind call { ucid phase } } }'
    const child = spawn(curl ?? '', ['-N', '--header', 'accept: text/event-stream', ...parametersOf(query, desk.agent.token)])
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    // The subscription stands once it says something; a call that began before comes as what stands.
    const ucid = desk.ring()
    await waitFor(() => text.includes(`"ucid":"${ucid}"`))
    expect(text).toContain('event: next\ndata: {"data":{"callEvents":{')
    desk.app.standIns.telephony.answer({ ucid })
    await waitFor(() => text.includes(`"ucid":"${ucid}","phase":"ANSWERED"`))
    desk.app.standIns.telephony.hangUp({ ucid })
    await waitFor(() => text.includes(`"ucid":"${ucid}","phase":"COMPLETED"`))
    child.kill()
    await once(child, 'close')
  })
})
