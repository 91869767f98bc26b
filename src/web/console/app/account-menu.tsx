import { Keyboard, LogOut } from 'lucide-react'
import { useStore } from '../state/store.ts'
import { chooseLanguage, languageNames, languages, languageStore } from '../i18n/language.ts'
import { signOut, useMember } from '../session/session.ts'
import { chooseScheme, schemes, schemeStore } from '../styles/scheme.ts'
import { Menu } from '../ui/menu.tsx'
import { listShortcuts } from '../ui/shortcuts.tsx'
import { useShellTexts } from './shell-texts.ts'

const roles = { MANAGER: 'manager', AGENT: 'agent', USER: 'user' } as const

/** Who is signed in, how the console looks and speaks, and the way out. */
export function AccountMenu() {
  const texts = useShellTexts()
  const { user, role, agent } = useMember()
  const [language, scheme] = [useStore(languageStore), useStore(schemeStore)]
  const name = `${user.firstName} ${user.lastName}`.trim() || (agent?.name ?? user.email)
  const groups = [
    {
      id: 'language',
      title: texts.language,
      entries: languages.map((id) => ({ id, label: languageNames[id], isChosen: id === language, onAction: () => chooseLanguage(id) })),
    },
    {
      id: 'appearance',
      title: texts.appearance,
      entries: schemes.map((id) => ({ id, label: texts[id], isChosen: id === scheme, onAction: () => chooseScheme(id) })),
    },
    {
      id: 'account',
      title: user.email,
      entries: [
        { id: 'keys', label: texts.help, icon: <Keyboard aria-hidden="true" />, onAction: listShortcuts },
        { id: 'sign-out', label: texts.signOut, icon: <LogOut aria-hidden="true" />, onAction: () => void signOut() },
      ],
    },
  ]
  const trigger = (
    <>
      <span className="shell-avatar" data-initials={initialsOf(name)} />
      <span className="shell-account">
        <span className="shell-account-name">{name}</span>
        <span className="shell-account-role">{texts[roles[role]]}</span>
      </span>
    </>
  )
  return <Menu label={texts.account} look="shell-account-button" trigger={trigger} groups={groups} />
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter((word) => word !== '')
  return [words[0], words[1]].map((word) => word?.charAt(0).toUpperCase() ?? '').join('')
}
