import { Component, type ReactNode, Suspense, useMemo, useState } from 'react'
import { graphql, useLazyLoadQuery, useMutation, usePaginationFragment, useSubscription } from 'react-relay'
import type { GraphQLSubscriptionConfig, PayloadError } from 'relay-runtime'
import type { ServiceError } from '../shared/failure.ts'
import { type Call, Caller, Calls, DialForm, Header, Insight, MissedCalls, OutcomeForm, Problem, withCall } from '../shared/parts.tsx'
import { signOut } from '../shared/session.ts'
import { useHeartbeat } from '../shared/use-heartbeat.ts'
import type { deskCallEventsSubscription } from './__generated__/deskCallEventsSubscription.graphql.ts'
import type { deskDialMutation } from './__generated__/deskDialMutation.graphql.ts'
import type { deskHeartbeatMutation } from './__generated__/deskHeartbeatMutation.graphql.ts'
import type { deskInsightQuery } from './__generated__/deskInsightQuery.graphql.ts'
import type { desk_missedCalls$key } from './__generated__/desk_missedCalls.graphql.ts'
import type { deskMissedCallsPageQuery } from './__generated__/deskMissedCallsPageQuery.graphql.ts'
import type { deskMissedCallsQuery } from './__generated__/deskMissedCallsQuery.graphql.ts'
import type { deskQuery } from './__generated__/deskQuery.graphql.ts'
import type { deskScreenPopQuery } from './__generated__/deskScreenPopQuery.graphql.ts'
import type { deskSubmitDispositionMutation } from './__generated__/deskSubmitDispositionMutation.graphql.ts'

export function Desk() {
  return (
    <Shown>
      <SignedInDesk />
    </Shown>
  )
}

/** Relay's queries suspend their component, and throw their errors. */
class Shown extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state = { error: null }
  static getDerivedStateFromError(error: Error) {
    return { error }
  }
  override render() {
    return this.state.error ? <Problem error={this.state.error} /> : <Suspense fallback={<p>Loading…</p>}>{this.props.children}</Suspense>
  }
}

function SignedInDesk() {
  const { me, callSettings } = useLazyLoadQuery<deskQuery>(
    graphql`
      query deskQuery {
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
    `,
    {},
  )
  const [beat] = useMutation<deskHeartbeatMutation>(graphql`
    mutation deskHeartbeatMutation {
      heartbeat {
        expiresAt
      }
    }
  `)
  useHeartbeat(() => beat({ variables: {} }))
  const { calls, ended } = useLiveCalls()
  const current = calls.at(-1)
  return (
    <main>
      <Header name={me.agent?.name ?? 'No agent'} onSignOut={() => void signOut()} />
      <Problem error={ended} />
      <Calls calls={calls} />
      {current && (
        <Shown key={current.ucid}>
          <ScreenPop ucid={current.ucid} />
        </Shown>
      )}
      {current && <Outcome key={`${current.ucid} outcome`} ucid={current.ucid} choices={callSettings.dispositions} />}
      <Dial />
      <Shown>
        <Missed />
      </Shown>
    </main>
  )
}

/** The calls of this sitting. A new stream begins with the calls in progress, so nothing is lost between two. */
function useLiveCalls(): { readonly calls: readonly Call[]; readonly ended: Error | null } {
  const [calls, setCalls] = useState<readonly Call[]>([])
  const [ended, setEnded] = useState<Error | null>(null)
  const config = useMemo<GraphQLSubscriptionConfig<deskCallEventsSubscription>>(
    () => ({
      subscription: graphql`
        subscription deskCallEventsSubscription {
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
      `,
      variables: {},
      onNext: (data) => {
        const call = data?.callEvents.call
        if (call) setCalls((known) => withCall(known, call))
      },
      onError: setEnded,
    }),
    [],
  )
  useSubscription(config)
  return { calls, ended }
}

function ScreenPop({ ucid }: { readonly ucid: string }) {
  const { callLookup } = useLazyLoadQuery<deskScreenPopQuery>(
    graphql`
      query deskScreenPopQuery($ucid: ID!) {
        callLookup(ucid: $ucid) {
          lead {
            id
            name
            record {
              id
              createdAt
            }
          }
          lastCalls {
            id
            startedAt
            disposition
          }
        }
      }
    `,
    { ucid },
  )
  return (
    <Caller lookup={callLookup}>
      <Suspense fallback={<Insight insight={null} />}>
        <ModelInsight ucid={ucid} />
      </Suspense>
    </Caller>
  )
}

/** A query of its own instead of `@defer`, for which Relay's network would have to read answers in parts. */
function ModelInsight({ ucid }: { readonly ucid: string }) {
  const { callLookup } = useLazyLoadQuery<deskInsightQuery>(
    graphql`
      query deskInsightQuery($ucid: ID!) {
        callLookup(ucid: $ucid) {
          enrichment {
            whoIsThis
            reason
          }
        }
      }
    `,
    { ucid },
  )
  return <Insight insight={callLookup.enrichment} />
}

function Dial() {
  const [error, setError] = useState<ServiceError | null>(null)
  const [dial] = useMutation<deskDialMutation>(graphql`
    mutation deskDialMutation($phoneNumber: String!) {
      dial(input: { phoneNumber: $phoneNumber }) {
        ucid
      }
    }
  `)
  const call = (phoneNumber: string) =>
    dial({ variables: { phoneNumber }, onCompleted: () => setError(null), onError: (error) => setError(serviceError(error)) })
  return <DialForm onDial={call} error={error} />
}

function Outcome({ ucid, choices }: { readonly ucid: string; readonly choices: readonly string[] }) {
  const [saved, setSaved] = useState<string | null>(null)
  const [error, setError] = useState<ServiceError | null>(null)
  const [submit] = useMutation<deskSubmitDispositionMutation>(graphql`
    mutation deskSubmitDispositionMutation($input: DispositionInput!) {
      submitDisposition(input: $input) {
        ucid
        disposition
      }
    }
  `)
  const save = (disposition: string, notes: string) =>
    submit({
      variables: { input: { ucid, disposition, notes, next: { state: 'READY' } } },
      onCompleted: ({ submitDisposition }) => setSaved(submitDisposition.disposition),
      onError: (error) => setError(serviceError(error)),
    })
  return <OutcomeForm choices={choices} onSave={save} saved={saved} error={error} />
}

function Missed() {
  const query = useLazyLoadQuery<deskMissedCallsQuery>(
    graphql`
      query deskMissedCallsQuery {
        ...desk_missedCalls
      }
    `,
    {},
  )
  const { data, hasNext, loadNext } = usePaginationFragment<deskMissedCallsPageQuery, desk_missedCalls$key>(
    graphql`
      fragment desk_missedCalls on Query
      @refetchable(queryName: "deskMissedCallsPageQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "String" }) {
        missedCalls(first: $count, after: $cursor) @connection(key: "desk_missedCalls") {
          edges {
            node {
              id
              phoneNumber
              at
            }
          }
        }
      }
    `,
    query,
  )
  return <MissedCalls calls={data.missedCalls.edges.map(({ node }) => node)} onMore={hasNext ? () => void loadNext(2) : null} />
}

/** Relay throws one error for an answer without data, and has what the service said in its source. */
const serviceError = (error: Error & { readonly source?: { readonly errors?: readonly PayloadError[] } }): ServiceError =>
  error.source?.errors?.[0] ?? error
