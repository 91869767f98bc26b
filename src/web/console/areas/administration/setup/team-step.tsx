import { Link } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { ErrorState } from '../../../data/error-state.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { NewMember } from '../team/new-member.tsx'
import { teamQuery } from './documents.ts'
import { useSetupTexts } from './texts.ts'

/** Who is in the workspace, and the form for new members. The team's own screen has the rest. */
export function TeamStep({ onChanged }: { readonly onChanged: () => void }) {
  const texts = useSetupTexts()
  const [isAdding, setAdding] = useState(false)
  const [{ data, error }, reload] = useQuery({ query: teamQuery })
  if (!data) return error ? <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} /> : <Skeleton rows={3} />
  const { nodes, totalCount } = data.teamMembers
  return (
    <>
      <section className="setup-part" aria-label={texts.members(totalCount)}>
        <h3>{texts.members(totalCount)}</h3>
        <ul className="setup-items">
          {nodes.map(({ id, firstName, lastName, email, role, agentId }) => (
            <li key={id}>
              <span>
                {`${firstName} ${lastName}`} <span className="ui-hint">{email}</span>
              </span>
              <span className="ui-actions">
                {agentId !== null && <Badge tone="info">{texts.agent}</Badge>}
                {role !== null && <Badge>{texts[role]}</Badge>}
              </span>
            </li>
          ))}
        </ul>
        {!isAdding && (
          <div className="ui-actions">
            <Button icon={<UserPlus />} onPress={() => setAdding(true)}>
              {texts.add}
            </Button>
            {totalCount > nodes.length && (
              <Link to="/administration/team" className="ui-button ui-button-quiet">
                {texts.wholeTeam}
              </Link>
            )}
          </div>
        )}
      </section>
      {isAdding && <NewMember onCreated={onChanged} onClose={() => setAdding(false)} />}
    </>
  )
}
