import type { Member } from '@call-center-sidecar/client'
import { useEffect, useState } from 'react'
import { useFormats } from '../i18n/format.ts'
import { beginAgentSession, type SessionHolder, signOut, takeOverAgentSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useProblem } from '../data/problem.ts'
import { Entrance } from './entrance.tsx'
import { useEntranceTexts } from './entrance-texts.ts'

type LockedProps = { readonly member: Member; readonly holder: SessionHolder }

/** The agent works elsewhere: who, from where, since when; and what this person may do about it. */
export function Locked({ member, holder }: LockedProps) {
  const texts = useEntranceTexts()
  const { isOwn } = holder
  const title = isOwn ? texts.lockedTitle : texts.lockedOtherTitle
  const [pending, setPending] = useState<'BEGIN' | 'LEAVE' | null>(null)
  const [error, setError] = useState<unknown>(null)
  const begin = (): void => {
    setPending('BEGIN')
    const beginning = isOwn ? takeOverAgentSession(member) : beginAgentSession(member)
    void beginning.catch(setError).finally(() => setPending(null))
  }
  const leave = (): void => {
    setPending('LEAVE')
    void signOut()
  }
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <Entrance>
      <div>
        <h1>{title}</h1>
        <p className="entrance-lead">{texts.lockedLead}</p>
      </div>
      <Facts agent={member.agent?.name ?? member.user.email} holder={holder} />
      <p>{isOwn ? texts.takeOverAdvice : texts.lockedOtherAdvice}</p>
      {error !== null && <BeginProblem error={error} />}
      <div className="entrance-actions">
        <Button look="primary" isPending={pending === 'BEGIN'} onPress={begin}>
          {isOwn ? texts.takeOver : texts.again}
        </Button>
        <Button look="quiet" isPending={pending === 'LEAVE'} onPress={leave}>
          {texts.useOtherAccount}
        </Button>
      </div>
    </Entrance>
  )
}

function Facts({ agent, holder }: { readonly agent: string; readonly holder: SessionHolder }) {
  const texts = useEntranceTexts()
  const { moment } = useFormats()
  return (
    <dl className="entrance-facts">
      <div>
        <dt>{texts.who}</dt>
        <dd>{agent}</dd>
      </div>
      <div>
        <dt>{texts.from}</dt>
        <dd>{holder.ip}</dd>
      </div>
      <div>
        <dt>{texts.since}</dt>
        <dd>
          <time dateTime={holder.lockedAt}>{moment(holder.lockedAt)}</time>
        </dd>
      </div>
    </dl>
  )
}

function BeginProblem({ error }: { readonly error: unknown }) {
  const { title, advice } = useProblem(error)
  return (
    <Notice tone="bad" role="alert" title={title}>
      <p>{advice}</p>
    </Notice>
  )
}
