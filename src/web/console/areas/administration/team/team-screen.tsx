import { SearchX, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { type Pages, useListPages } from '../../../data/pages.ts'
import { useSettled } from '../../../data/settled.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Filters } from '../../../ui/filters.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { PagedTable } from '../../../data/paged-table.tsx'
import { useMemberColumns } from './columns.tsx'
import { membersDocument, type Members, type TeamMember } from './members.ts'
import { NewMember } from './new-member.tsx'
import { useTeamTexts } from './texts.ts'
import '../rows.css'
import './team.css'

/** The members of the workspace: who may sign in, as what, and with which phone. */
export function TeamScreen() {
  const texts = useTeamTexts()
  const [search, setSearch] = useState('')
  const [isAdding, setAdding] = useState(false)
  const pages = useListPages({ document: membersDocument, variables: { search: useSettled(search.trim()) }, listOf })
  const facts = pages.latest
  return (
    <Page
      isWide
      title={texts.title}
      lead={texts.lead}
      actions={
        !isAdding && (
          <Button look="primary" icon={<UserPlus />} onPress={() => setAdding(true)}>
            {texts.add}
          </Button>
        )
      }
    >
      {facts?.inviteLinkLeftOpenSince && <OpenLink since={facts.inviteLinkLeftOpenSince} onClose={pages.reload} />}
      {isAdding && <NewMember onCreated={pages.reload} onClose={() => setAdding(false)} />}
      <Filters label={texts.filters} actions={facts && <span className="admin-minor">{texts.count(facts.totalCount)}</span>}>
        <Field label={texts.search} type="search" value={search} onChange={setSearch} autoComplete="off" maxLength={200} />
      </Filters>
      <MemberList pages={pages} />
    </Page>
  )
}

function listOf({ teamMembers }: { readonly teamMembers: Members }): Members {
  return teamMembers
}

function MemberList({ pages }: { readonly pages: Pages<TeamMember> }) {
  const texts = useTeamTexts()
  const columns = useMemberColumns(pages.reload)
  return (
    <PagedTable
      label={texts.title}
      pages={pages}
      columns={columns}
      empty={{ icon: <SearchX />, title: texts.nobody, text: texts.nobodyText }}
    />
  )
}

/** A crash in the middle of a creation. */
function OpenLink({ since, onClose }: { readonly since: string; readonly onClose: () => void }) {
  const texts = useTeamTexts()
  const { moment } = useFormats()
  return (
    <Notice tone="warn" title={texts.linkOpen(moment(since))} actions={<Button onPress={onClose}>{texts.close}</Button>}>
      <p>{texts.linkOpenText}</p>
    </Notice>
  )
}
