import { useMemo } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import { useMember } from '../../../session/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/table.tsx'
import { MemberActions } from './member-actions.tsx'
import { nameOf, type TeamMember } from './members.ts'
import { useTeamTexts } from './texts.ts'
import '../rows.css'

export function useMemberColumns(onChanged: () => void): readonly Column<TeamMember>[] {
  const texts = useTeamTexts()
  return useMemo(
    () => [
      { id: 'member', title: texts.member, cell: (member) => <Person member={member} />, sortBy: nameOf, isHeading: true },
      { id: 'role', title: texts.role, cell: (member) => <Role member={member} />, sortBy: ({ role }) => role ?? '' },
      { id: 'agent', title: texts.agent, cell: (member) => <Agent member={member} /> },
      { id: 'status', title: texts.status, cell: (member) => <Status member={member} /> },
      {
        id: 'actions',
        title: texts.actions,
        isTitleHidden: true,
        isNumber: true,
        isCorner: true,
        cell: (member) => <MemberActions member={member} onChanged={onChanged} />,
      },
    ],
    [texts, onChanged],
  )
}

type CellProps = { readonly member: TeamMember }

function Person({ member }: CellProps) {
  const texts = useTeamTexts()
  const { memberId } = useMember()
  const name = nameOf(member)
  return (
    <div className="admin-person">
      <span className="admin-person-initials" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <div>
        <p className="admin-person-name">
          {name} {member.id === memberId && <Badge>{texts.you}</Badge>}
        </p>
        <p className="admin-minor">{member.email}</p>
      </div>
    </div>
  )
}

function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => part.slice(0, 1).toUpperCase())
    .join('')
}

function Role({ member: { role, platformRole } }: CellProps) {
  const texts = useTeamTexts()
  return (
    <div className="admin-stack">
      {role === null ? (
        <Badge tone="warn">{texts.noRole}</Badge>
      ) : (
        <Badge tone={role === 'MANAGER' ? 'info' : 'neutral'}>{texts[role]}</Badge>
      )}
      {platformRole !== null && (role === null || platformRole !== texts[role]) && <span className="admin-minor">{platformRole}</span>}
    </div>
  )
}

function Agent({ member: { agentId, agent } }: CellProps) {
  const texts = useTeamTexts()
  if (agentId === null) return <span className="admin-minor">{texts.noCalls}</span>
  const phone = [
    ...(agent?.sipExtension ? [texts.extension(agent.sipExtension)] : []),
    ...(agent?.campaignName ? [agent.campaignName] : []),
  ]
  return (
    <div className="admin-stack">
      <span>{agent?.providerAgentId ?? <Badge tone="warn">{texts.noAgentId}</Badge>}</span>
      {phone.length > 0 && <span className="admin-minor">{phone.join(' · ')}</span>}
    </div>
  )
}

function Status({ member: { agentId, session, hasTemporaryPassword } }: CellProps) {
  const texts = useTeamTexts()
  const { time } = useFormats()
  if (!session && agentId === null && !hasTemporaryPassword) return null
  return (
    <div className="admin-stack">
      {session ? (
        <Badge tone="good" hasDot>
          {texts.signedIn(time(session.lockedAt))}
        </Badge>
      ) : (
        agentId !== null && <span className="admin-minor">{texts.signedOut}</span>
      )}
      {hasTemporaryPassword && <span className="admin-minor">{texts.invited}</span>}
    </div>
  )
}
