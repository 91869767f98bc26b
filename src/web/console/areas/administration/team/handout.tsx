import { useCallback, useEffect, useState } from 'react'
import type { ResultOf } from '../../../data/graphql.ts'
import { service } from '../../../data/service-client.ts'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { passwordDocument, type TeamMember } from './members.ts'
import { useTeamTexts } from './texts.ts'
import '../rows.css'
import './team.css'

type Password = ResultOf<typeof passwordDocument>['temporaryPassword']

/** Read once, because each request is in the audit log; not through urql, whose cache would keep the password after the dialog. */
function usePassword(memberId: string) {
  const [password, setPassword] = useState<Password | null>(null)
  const [error, setError] = useState<unknown>(null)
  const read = useCallback(() => {
    setError(null)
    service.execute(passwordDocument, { memberId }).then(({ temporaryPassword }) => setPassword(temporaryPassword), setError)
  }, [memberId])
  useEffect(read, [read])
  return { password, error, read }
}

/** What a new member needs for the first sign-in. */
export function Handout({ member: { id, email } }: { readonly member: Pick<TeamMember, 'id' | 'email'> }) {
  const texts = useTeamTexts()
  const { moment } = useFormats()
  const { password, error, read } = usePassword(id)
  if (error !== null) return <ErrorState error={error} onRetry={read} />
  if (!password) return <Skeleton rows={2} />
  const address = `${location.origin}/console`
  return (
    <>
      <div className="admin-handout-values">
        <CopyField label={texts.address} value={address} />
        <CopyField label={texts.email} value={email} />
        <CopyField label={texts.password} value={password.password} />
      </div>
      <p className="admin-minor">
        {password.usedAt === null ? texts.againUntil(moment(password.expiresAt)) : texts.used(moment(password.usedAt))}
      </p>
      <div className="ui-actions">
        <CopyButton text={texts.handout({ address, email, password: password.password })}>{texts.copyAll}</CopyButton>
      </div>
    </>
  )
}
