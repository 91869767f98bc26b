import { useEffect, useState } from 'react'
import { type CombinedError, useMutation, useQuery, useSubscription } from 'urql'
import type { ServiceError } from '../shared/failure.ts'
import {
  type Call,
  Caller,
  Calls,
  DialForm,
  Header,
  Insight,
  type MissedCall,
  MissedCalls,
  OutcomeForm,
  Problem,
  withCall,
} from '../shared/parts.tsx'
import { signOut } from '../shared/session.ts'
import { useHeartbeat } from '../shared/use-heartbeat.ts'
import { graphql } from './graphql.ts'

const desk = graphql(`
  query Desk {
    me {
      agent {
        id
        name
      }
    }
    callSettings {
      id
      dispositions
    }
  }
`)
const heartbeat = graphql(`
  mutation Heartbeat {
    heartbeat {
      expiresAt
    }
  }
`)

export function Desk() {
  const [{ data, error }] = useQuery({ query: desk })
  const [, beat] = useMutation(heartbeat)
  useHeartbeat(() => beat({}))
  const calls = useLiveCalls()
  const current = calls.at(-1)
  if (!data) return <Problem error={serviceError(error)} />
  return (
    <main>
      <Header name={data.me.agent?.name ?? 'No agent'} onSignOut={() => void signOut()} />
      <Calls calls={calls} />
      {current && <ScreenPop key={current.ucid} ucid={current.ucid} />}
      {current && <Outcome key={`${current.ucid} outcome`} ucid={current.ucid} choices={data.callSettings.dispositions} />}
      <Dial />
      <Missed />
    </main>
  )
}

const callEvents = graphql(`
  subscription CallEvents {
    callEvents {
      call {
        id
        ucid
        phase
        direction
        phoneNumber
      }
    }
  }
`)

/** The calls of this sitting. A new stream begins with the calls in progress, so nothing is lost between two. */
function useLiveCalls(): readonly Call[] {
  const [{ data: calls = [], fetching }, subscribe] = useSubscription(
    { query: callEvents },
    (known: readonly Call[] = [], { callEvents }) => withCall(known, callEvents.call),
  )
  // The token ended, the service restarts, or the network was lost.
  useEffect(() => {
    if (fetching) return
    const timer = setTimeout(() => subscribe({ requestPolicy: 'network-only' }), 1_000)
    return () => clearTimeout(timer)
  }, [fetching, subscribe])
  return calls
}

const screenPop = graphql(`
  query ScreenPop($ucid: ID!) {
    callLookup(ucid: $ucid) {
      lead {
        id
        name
      }
      lastCalls {
        id
        startedAt
        disposition
      }
      ... @defer {
        enrichment {
          whoIsThis
          reason
        }
      }
    }
  }
`)

function ScreenPop({ ucid }: { readonly ucid: string }) {
  const [{ data, error }] = useQuery({ query: screenPop, variables: { ucid } })
  if (!data) return <Problem error={serviceError(error)} />
  return (
    <Caller lookup={data.callLookup}>
      <Insight insight={'enrichment' in data.callLookup ? data.callLookup.enrichment : null} />
    </Caller>
  )
}

const dial = graphql(`
  mutation Dial($phoneNumber: String!) {
    dial(input: { phoneNumber: $phoneNumber }) {
      ucid
    }
  }
`)

function Dial() {
  const [{ error }, call] = useMutation(dial)
  return <DialForm onDial={(phoneNumber) => void call({ phoneNumber })} error={serviceError(error)} />
}

const submitDisposition = graphql(`
  mutation SubmitDisposition($input: DispositionInput!) {
    submitDisposition(input: $input) {
      ucid
      disposition
    }
  }
`)

function Outcome({ ucid, choices }: { readonly ucid: string; readonly choices: readonly string[] }) {
  const [{ data, error }, submit] = useMutation(submitDisposition)
  const save = (disposition: string, notes: string) => void submit({ input: { ucid, disposition, notes, next: { state: 'READY' } } })
  return <OutcomeForm choices={choices} onSave={save} saved={data?.submitDisposition.disposition} error={serviceError(error)} />
}

const missedCalls = graphql(`
  query MissedCalls($after: String) {
    missedCalls(first: 2, after: $after) {
      nodes {
        id
        phoneNumber
        at
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

/** The document cache knows nothing of pages: the component holds those before the last. */
function Missed() {
  const [earlier, setEarlier] = useState<readonly MissedCall[]>([])
  const [after, setAfter] = useState<string | null>(null)
  const [{ data, fetching }] = useQuery({ query: missedCalls, variables: { after } })
  if (!data || fetching) return <MissedCalls calls={earlier} onMore={null} />
  const { nodes, pageInfo } = data.missedCalls
  const calls = [...earlier, ...nodes]
  const more = (): void => {
    setEarlier(calls)
    setAfter(pageInfo.endCursor)
  }
  return <MissedCalls calls={calls} onMore={pageInfo.hasNextPage ? more : null} />
}

const serviceError = (error: CombinedError | undefined): ServiceError | undefined => error?.graphQLErrors[0] ?? error?.networkError
