import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { PanelLeft } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { Area } from '../areas/area.ts'
import { leaveLeadership, seekLeadership } from '../session/leader.ts'
import { CallBar } from '../phone/call-bar.tsx'
import { waitForReload } from '../phone/missing-part.ts'
import { Dialling } from '../phone/dial.tsx'
import { useMember, useOver } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { ShortcutsHelp, useShortcuts } from '../ui/shortcuts.tsx'
import { areaOfPath, areasOf } from './areas.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { Navigation } from './navigation.tsx'
import { NotForYou, NothingForYou } from './no-such-page.tsx'
import { SetupNotice } from './setup-notice.tsx'
import { useShellTexts } from './shell-texts.ts'
import { TemporaryPasswordNotice } from './temporary-password-notice.tsx'
import './shell.css'

// After the first paint: they are not what a person came to see.
const AccountMenu = lazy(() => import('./account-menu.tsx').then(({ AccountMenu }) => ({ default: AccountMenu }), waitForReload))
const Toasts = lazy(() => import('../ui/toasts.tsx').then(({ Toasts }) => ({ default: Toasts }), waitForReload))
const StateControl = lazy(() => import('../phone/state-control.tsx').then(({ StateControl }) => ({ default: StateControl }), waitForReload))
const SaveLastCall = lazy(() =>
  import('../areas/desk/call/save-last-call.tsx').then(({ SaveLastCall }) => ({ default: SaveLastCall }), waitForReload),
)
const SaveNotes = lazy(() => import('../areas/desk/call/save-notes.tsx').then(({ SaveNotes }) => ({ default: SaveNotes }), waitForReload))
/** The phone is loaded after the screen. */
const Softphone = lazy(() => import('../phone/softphone.tsx').then(({ Softphone }) => ({ default: Softphone }), waitForReload))
const PhoneStatus = lazy(() => import('../phone/softphone.tsx').then(({ PhoneStatus }) => ({ default: PhoneStatus }), waitForReload))
const AgentNotices = lazy(() => import('../phone/agent-notices.tsx').then(({ AgentNotices }) => ({ default: AgentNotices }), waitForReload))

/** The frame around every screen: navigation, the agent's state, the account, the connection. */
export function Shell() {
  const texts = useShellTexts()
  const member = useMember()
  const { pathname } = useLocation()
  const area = areaOfPath(pathname)
  const [isOpen, setOpen] = useState(false)
  const over = useOver()
  useNavigationShortcuts()
  useEffect(() => setOpen(false), [pathname])
  const hasAgent = member.agent !== null
  useEffect(() => {
    if (!hasAgent) return
    void seekLeadership()
    return leaveLeadership
  }, [hasAgent])
  return (
    <div className="shell" data-navigation={isOpen ? 'open' : 'closed'} data-over={over ? '' : undefined}>
      {!over && <Rail isOpen={isOpen} onClose={() => setOpen(false)} />}
      <div className="shell-main">
        {!over && (
          <header className="shell-bar">
            <span className="shell-open">
              <Button
                look="quiet"
                icon={<PanelLeft />}
                aria-label={texts.openNavigation}
                aria-expanded={isOpen}
                onPress={() => setOpen(!isOpen)}
              />
            </span>
            <div className="shell-bar-start">{hasAgent && <AgentBar />}</div>
            <Suspense>
              <AccountMenu />
            </Suspense>
          </header>
        )}
        {/* First: nothing that comes may move "Answer" under the person's pointer. It stays when all else goes, with its call. */}
        <Suspense>{hasAgent && <Softphone />}</Suspense>
        {!over && <Work area={area} pathname={pathname} />}
      </div>
      <ShortcutsHelp title={texts.help} />
      <Suspense>
        <Toasts />
      </Suspense>
    </div>
  )
}

function Rail({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const texts = useShellTexts()
  return (
    <>
      <a className="shell-skip" href="#content">
        {texts.skip}
      </a>
      <div className="shell-rail">
        <Navigation />
      </div>
      {isOpen && <div className="shell-veil" aria-hidden="true" onClick={onClose} />}
    </>
  )
}

type WorkProps = { readonly area: Area | null; readonly pathname: string }

function Work({ area, pathname }: WorkProps) {
  const { agent } = useMember()
  return (
    <>
      <ConnectionBanner />
      {agent && <CallBar />}
      <Suspense>
        {agent && <AgentNotices />}
        {agent && <SaveNotes />}
        {agent && <SaveLastCall isOnDesk={pathname === '/desk'} />}
      </Suspense>
      <main id="content" className="shell-content" tabIndex={-1}>
        {pathname === '/supervisor' && <SetupNotice />}
        <TemporaryPasswordNotice />
        <Content area={area} pathname={pathname} />
      </main>
    </>
  )
}

function AgentBar() {
  return (
    <Suspense>
      <StateControl />
      <PhoneStatus />
    </Suspense>
  )
}

function Content({ area, pathname }: WorkProps) {
  const member = useMember()
  if (areasOf(member).length === 0) return <NothingForYou />
  const screen = area?.screens.find(({ path }) => path === pathname)
  if (area && !(area.isFor(member) && (screen?.isFor?.(member) ?? true))) return <NotForYou area={area} />
  return member.agent ? (
    <Dialling>
      <Outlet />
    </Dialling>
  ) : (
    <Outlet />
  )
}

function useNavigationShortcuts(): void {
  const member = useMember()
  const navigate = useNavigate()
  const areas = useMemo(() => areasOf(member), [member])
  const titles = areas.map(({ useTitles }) => useTitles())
  const labels = JSON.stringify(titles)
  const shortcuts = useMemo(
    () =>
      areas.flatMap(({ screens }, at) =>
        screens.flatMap(({ keys, path, title }) =>
          keys === undefined ? [] : [{ keys, label: titles[at]?.[title] ?? title, run: () => void navigate({ to: path }) }],
        ),
      ),
    [areas, labels, navigate],
  )
  useShortcuts(shortcuts)
}
