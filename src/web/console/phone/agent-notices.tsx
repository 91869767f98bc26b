import { Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { defineLive, useLive, withEntry } from '../data/live.ts'
import { createStore, useStore } from '../state/store.ts'
import { useAction } from '../data/use-action.ts'
import { useFormats } from '../i18n/format.ts'
import { service } from '../data/service-client.ts'
import { useLeadership } from '../session/leader.ts'
import { leaveEndedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useNow } from '../ui/now.ts'
import { useNoticeTexts } from './notice-texts.ts'
import { usePhone } from './phone-state.ts'
import './agent-notices.css'

const agentNoticeEvents = graphql(`
  subscription AgentNotices {
    agentNoticeEvents {
      id
      at
      kind
      managerName
      message
      state
      reason
    }
  }
`)
const confirmNotices = graphql(`
  mutation ConfirmAgentNotices($ids: [ID!]!) {
    confirmAgentNotices(ids: $ids) {
      id
    }
  }
`)
type AgentNotice = ResultOf<typeof agentNoticeEvents>['agentNoticeEvents']

const noticesLive = defineLive(agentNoticeEvents, {
  initial: noNotices(),
  reduce: (notices, { agentNoticeEvents: notice }) => withEntry(notices, notice.id, notice),
})
/** The stream does not say that a notice was confirmed. */
const confirmed = createStore<ReadonlySet<string>>(new Set())

function noNotices(): ReadonlyMap<string, AgentNotice> {
  return new Map()
}

/** What managers did to this agent, until the agent says that they have seen it: in the tab that has the phone. */
export function AgentNotices() {
  return useLeadership() === 'LEADS' ? <Notices /> : null
}

function Notices() {
  const { state } = useLive(noticesLive)
  const seen = useStore(confirmed)
  const notices = useMemo(() => [...state.values()].filter(({ id }) => !seen.has(id)), [state, seen])
  const [first, ...others] = notices
  useEndOfSession(notices)
  return (
    <div role="status" className="agent-notices" data-has={first !== undefined || undefined}>
      {first && <OneNotice key={first.id} notice={first} others={others} />}
    </div>
  )
}

/** The heartbeat would find it out within minutes. A call that this tab has goes on until it is over. */
function useEndOfSession(notices: readonly AgentNotice[]): void {
  const { call } = usePhone()
  useEffect(() => {
    const beganAt = Date.parse(service.agentSession?.lockedAt ?? '')
    const hasEnded = notices.some(({ kind, at }) => kind === 'SESSION_ENDED' && Date.parse(at) > beganAt)
    if (hasEnded && !call) void leaveEndedSession()
  }, [notices, call])
}

type OneNoticeProps = { readonly notice: AgentNotice; readonly others: readonly AgentNotice[] }

/** The oldest one; the next one follows. */
function OneNotice({ notice, others }: OneNoticeProps) {
  const texts = useNoticeTexts()
  const { ago } = useFormats()
  const now = useNow(15_000)
  const { run, isPending } = useAction(confirmNotices)
  const confirm = async (ids: readonly string[]): Promise<void> => {
    if (await run({ ids: [...ids] })) confirmed.set(new Set([...confirmed.get(), ...ids]))
  }
  const actions = (
    <>
      {others.length > 0 && (
        <Button size="s" look="quiet" onPress={() => void confirm([notice, ...others].map(({ id }) => id))}>
          {texts.confirmAll(others.length + 1)}
        </Button>
      )}
      <Button size="s" isPending={isPending} onPress={() => void confirm([notice.id])}>
        {texts.confirm}
      </Button>
    </>
  )
  return (
    <Notice tone="info" title={titleOf(notice, texts)} actions={actions}>
      {notice.message !== null && <q className="agent-notice-message">{notice.message}</q>}
      <p className="agent-notice-more">
        <time dateTime={notice.at}>{ago(notice.at, now)}</time>
        {notice.kind === 'PERSON_ASSIGNED' && <Link to="/desk/callbacks">{texts.toCallbacks}</Link>}
      </p>
    </Notice>
  )
}

function titleOf({ kind, managerName, state, reason }: AgentNotice, texts: ReturnType<typeof useNoticeTexts>): string {
  if (kind !== 'STATE_CHANGED') return texts[kind](managerName)
  return state === 'READY' ? texts.madeReady(managerName) : texts.madeNotReady(managerName, reason ?? '')
}
