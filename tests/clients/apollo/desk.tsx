import { CombinedGraphQLErrors, type ErrorLike } from '@apollo/client'
import { useMutation, useQuery, useSubscription } from '@apollo/client/react'
import { useState } from 'react'
import type { ServiceError } from '../shared/failure.ts'
import { type Call, Caller, Calls, DialForm, Header, Insight, MissedCalls, OutcomeForm, Problem, withCall } from '../shared/parts.tsx'
import { signOut } from '../shared/session.ts'
import { useHeartbeat } from '../shared/use-heartbeat.ts'
import { graphql } from './gql/index.ts'

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
  const { data, error } = useQuery(desk)
  const [beat] = useMutation(heartbeat)
  useHeartbeat(beat)
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
  const [calls, setCalls] = useState<readonly Call[]>([])
  const again = (): void => void setTimeout(() => restart(), 1_000)
  const { restart } = useSubscription(callEvents, {
    onData: ({ data: { data } }) => {
      const call = data?.callEvents.call
      if (call) setCalls((known) => withCall(known, call))
    },
    // The service restarts, or the network was lost.
    onError: () => again(),
    onComplete: () => again(),
  })
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
  const { data, error } = useQuery(screenPop, { variables: { ucid } })
  if (!data) return <Problem error={serviceError(error)} />
  return (
    <Caller lookup={data.callLookup}>
      <Insight insight={data.callLookup.enrichment} />
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
  const [call, { error }] = useMutation(dial)
  return <DialForm onDial={(phoneNumber) => void call({ variables: { phoneNumber } }).catch(() => null)} error={serviceError(error)} />
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
  const [submit, { data, error }] = useMutation(submitDisposition)
  const save = (disposition: string, notes: string) =>
    void submit({ variables: { input: { ucid, disposition, notes, next: { state: 'READY' } } } }).catch(() => null)
  return <OutcomeForm choices={choices} onSave={save} saved={data?.submitDisposition.disposition} error={serviceError(error)} />
}

const missedCalls = graphql(`
  query MissedCalls($after: String) {
    missedCalls(first: 2, after: $after) {
      edges {
        node {
          id
          phoneNumber
          at
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

function Missed() {
  const { data, fetchMore } = useQuery(missedCalls)
  const { edges = [], pageInfo } = data?.missedCalls ?? {}
  const more = (): void => void fetchMore({ variables: { after: pageInfo?.endCursor } })
  return <MissedCalls calls={edges.map(({ node }) => node)} onMore={pageInfo?.hasNextPage ? more : null} />
}

const serviceError = (error: ErrorLike | undefined): ServiceError | undefined => (CombinedGraphQLErrors.is(error) ? error.errors[0] : error)
