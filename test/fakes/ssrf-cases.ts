/** Host names of the cases with a hostile name server's answers; every other name resolves to loopback. */
const HOSTILE_NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.attacker.example': ['127.0.0.1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  'localtest.me': ['127.0.0.1', '::1'],
  'loopback6.attacker.example': ['::1'],
  'private-a.attacker.example': ['10.1.2.3'],
  'private-b.attacker.example': ['172.16.0.9'],
  'private-c.attacker.example': ['192.168.1.1'],
  'metadata.attacker.example': ['169.254.169.254'],
  'metadata6.attacker.example': ['fd00:ec2::254'],
  'azure.attacker.example': ['168.63.129.16'],
  'alibaba.attacker.example': ['100.100.100.200'],
  'nat.attacker.example': ['100.64.0.1'],
  'zero.attacker.example': ['0.0.0.0'],
  'zero6.attacker.example': ['::'],
  'mapped.attacker.example': ['::ffff:127.0.0.1'],
  'mapped-public.attacker.example': ['::ffff:8.8.8.8'],
  'compatible.attacker.example': ['::127.0.0.1'],
  'nat64.attacker.example': ['64:ff9b::7f00:1'],
  'nat64-local.attacker.example': ['64:ff9b:1::7f00:1'],
  '6to4.attacker.example': ['2002:7f00:1::1'],
  'teredo.attacker.example': ['2001:0:7f00:1::1'],
  'link-local.attacker.example': ['fe80::1'],
  'zone.attacker.example': ['fe80::1%lo'],
  'site-local.attacker.example': ['fec0::1'],
  'ula.attacker.example': ['fc00::1'],
  'multicast.attacker.example': ['224.0.0.1'],
  'multicast6.attacker.example': ['ff02::1'],
  'broadcast.attacker.example': ['255.255.255.255'],
  'benchmark.attacker.example': ['198.18.0.1'],
  'documentation.attacker.example': ['192.0.2.1'],
  'documentation6.attacker.example': ['2001:db8::1'],
  'future.attacker.example': ['240.0.0.1'],
  'one-of-two.attacker.example': ['93.184.215.14', '127.0.0.1'],
  'one-of-two6.attacker.example': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1'],
  'nonsense.attacker.example': ['127.1'],
};

export async function resolveHostile(name: string): Promise<readonly string[]> {
  return HOSTILE_NAMES[name] ?? ['127.0.0.1'];
}

const words = (text: string): string[] => text.trim().split(/\s+/);

/** 127.0.0.1, private hosts and a cloud's metadata hosts, in every spelling that some parser has accepted. */
const IPV4_SPELLINGS = words(`
  127.0.0.1 127.0.0.2 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7F000001 0x7f.0x0.0x0.0x1 0x7f.1
  0177.0.0.1 0177.0.0.01 00000177.0.0.1 0177.0x0.0.1 017700000001 0 0.0.0.0 0x0 00 0.0.0.1 0.1.2.3 10.0.0.1 10.1
  0xa.1 012.0.0.1 167772161 172.16.0.1 172.31.255.255 2886729729 192.168.0.1 0xc0a80001 3232235521 0300.0250.0.1
  192.168.257 169.254.169.254 169.254.43518 2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376
  169.254.170.2 168.63.129.16 100.64.0.1 100.100.100.200 100.127.255.254 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1
  198.19.255.255 198.51.100.7 203.0.113.7 192.31.196.1 192.52.193.1 192.175.48.1 224.0.0.1 239.255.255.250 240.0.0.1
  255.255.255.255 4294967295 %31%32%37.0.0.1 127.0.0.1%2e 127。0。0。1 127．0．0．1 １２７.0.0.1 ①②⑦.0.0.1 127.0.0.1.
  127.0.0.1.. 256.0.0.1 127.0.0.0x 1.2.3.4.5 99999999999
`);

const IPV6_SPELLINGS = words(`
  ::1 :: 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 ::0001 0::1 ::ffff:127.0.0.1 ::ffff:7f00:1
  ::FFFF:127.0.0.1 0:0:0:0:0:ffff:7f00:0001 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::ffff:8.8.8.8
  ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 ::127.0.0.1 ::7f00:1 ::a00:1 64:ff9b::127.0.0.1 64:ff9b::7f00:1
  64:ff9b::a9fe:a9fe 64:ff9b:1::7f00:1 2002:7f00:1:: 2002:a9fe:a9fe::1 2002:c0a8:1::1 2001:0:7f00:1:: 2001::1
  2001:0:4136:e378:8000:63bf:80ff:fffe fe80::1 fe80::1%25lo fe80::1%lo fe80::1%25eth0 ::1%251 febf::1 fec0::1 fc00::1
  fd00::1 fd00:ec2::254 fd20:ce::254 ff01::1 ff02::1 ff0e::1 100::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1
  2001:20::1 2001:db8::1 3fff::1 5f00::1 4000::1 ::ffff:0x7f.1 0::ffff:127.1 1::2::3 12345::1 ::1:: v1.127.0.0.1
`);

/** Names refused regardless of their address. */
export const INSIDE_NAMES = [
  ...words(`
  localhost LOCALHOST localhost. LocalHost. ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ loc%61lhost a.localhost localhost.localdomain
  localhost6 ip6-localhost ip6-loopback broadcasthost metadata postgres db metadata.google.internal
  METADATA.google.internal. metadata。google。internal instance-data.ec2.internal kubernetes.default.svc.cluster.local
  printer.local router.lan nas.home nas.home.arpa intranet.corp wiki.intranet host.docker.internal
  gateway.docker.internal 1.0.0.127.in-addr.arpa example.onion example.com. a..b -a.example a*b.example a'b.example
  `),
  'a b.example',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
];

/** URLs refused regardless of their resolved addresses; a canary listens on loopback at `port`. */
export function ssrfUrls(port: number): string[] {
  const hosts = [
    ...IPV4_SPELLINGS,
    ...IPV6_SPELLINGS.map((host) => `[${host}]`),
    ...INSIDE_NAMES,
    ...Object.keys(HOSTILE_NAMES),
  ];
  const local = `127.0.0.1:${port}`;
  const shapes = [
    `http://hooks.attacker.example:${port}/`,
    `HTTP://${local}/`,
    `ftp://${local}/`,
    `file:///etc/passwd`,
    `gopher://${local}/_x`,
    `dict://${local}/x`,
    `ldap://${local}/`,
    `ws://${local}/`,
    `wss://${local}/`,
    `data:text/plain,x`,
    `javascript:fetch('http://${local}')`,
    `blob:https://${local}/x`,
    `jar:https://${local}!/`,
    `view-source:https://${local}/`,
    `unix:/var/run/docker.sock`,
    `//${local}/`,
    `/hook`,
    `${local}/hook`,
    `https:${local}/`,
    `https:/${local}/`,
    `https:///${local}/`,
    `https:\\\\${local}\\`,
    `https://`,
    `https://:${port}/`,
    `https://?${local}`,
    `https://#${local}`,
    `https://user@${local}/`,
    `https://user:pass@${local}/`,
    `https://@${local}/`,
    `https://:@${local}/`,
    `https://93.184.215.14@${local}/`,
    `https://93.184.215.14:443@${local}/`,
    `https://user@hooks.attacker.example/`,
    `https://93.184.215.14#@${local}/\\`,
    `https://93.184.215.14\\@${local}/`,
    `https://${local}\\@93.184.215.14/`,
    `https://93.184.215.14%00@${local}/`,
    `https://${local}%00.attacker.example/`,
    `https://${local}%2523@93.184.215.14/`,
    `https://93.184.215.14 @${local}/`,
    `https://127.0.0.1 .attacker.example/`,
    `https://127.0.0.1\t:${port}/`,
    `https://127.0.0.1\n:${port}/`,
    ` https://${local}/`,
    `\u0000https://${local}/`,
    `https://${local}/\r\nX-Injected: 1`,
    `https://[::1`,
    `https://[::1]x:${port}/`,
    `https://[127.0.0.1]:${port}/`,
    `https://::1:${port}/`,
    `https://[]:${port}/`,
    `https://127.0.0.1:99999/`,
    `https://127.0.0.1:-1/`,
    `https://127.0.0.1:x/`,
    `https://93.184.215.14:22/`,
    `https://93.184.215.14:25/`,
    `https://93.184.215.14:80/`,
    `https://93.184.215.14:0/`,
    `https://hooks.attacker.example:1023/`,
    `https://${'a'.repeat(3000)}.example/`,
    `https://${local}/${'a'.repeat(3000)}`,
  ];
  return [
    ...hosts.map((host) => `https://${host}:${port}/hook`),
    ...hosts.map((host) => `http://${host}:${port}/`),
    ...shapes,
  ];
}

/** Legitimate URLs, if their names resolve to public addresses. */
export const PUBLIC_URLS = [
  'https://hooks.example.com/doorstep',
  'https://example.com',
  'https://example.com:8443/hook?token=abc',
  'https://a.b.c.d.example.co.uk/',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/',
  'https://my_host.example.com/',
  'https://93.184.215.14/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8443/hook',
  'https://example.com/path/with/@/and#fragment',
  'https://mylocal.example/',
  'https://localhost.example.com/',
];
