/**
 * The passwords that guessers try first, from the most frequent of published leaks (10-million-password-list) with at
 * least 6 characters, and the most frequent with at least 12. They are compared without regard to case.
 */
const list = `
password password1 password12 password123 passw0rd p@ssw0rd p@ssword password! qwerty1 qwerty12 qwerty12345
iloveyou1 welcome1 welcome123 admin1 admin123 administrator1 letmein1 letmein123 changeme changeme123
default secret123 login123 abc12345 abcd123 a1b2c3 aa123456 1q2w3e monkey123 dragon123 sunshine1 princess1
football1 baseball1 test123 test1234 testtest guest123 master123 hello123 summer123 winter123 123456
12345678 qwerty 123456789 111111 1234567 dragon 123123 baseball abc123 football monkey letmein shadow master
qwertyuiop 123321 mustang 1234567890 michael 654321 superman 1qaz2wsx 7777777 121212 000000 qazwsx 123qwe
killer trustno1 jordan jennifer zxcvbnm asdfgh hunter buster soccer harley batman andrew tigger sunshine
iloveyou charlie robert thomas hockey ranger daniel starwars 112233 george computer michelle jessica pepper
zxcvbn 555555 11111111 131313 freedom 777777 maggie 159753 aaaaaa ginger princess joshua cheese amanda
summer ashley nicole chelsea matthew access yankees 987654321 dallas austin thunder taylor matrix william
corvette martin heather secret merlin diamond 1234qwer gfhjkm hammer silver 222222 88888888 anthony justin
bailey q1w2e3r4t5 patrick internet scooter orange golfer cookie richard samantha bigdog guitar jackson
whatever mickey chicken sparky snoopy maverick phoenix camaro peanut morgan welcome falcon cowboy ferrari
samsung andrea smokey steelers joseph mercedes dakota arsenal eagles melissa boomer spider nascar monster
tigers yellow 123123123 gateway marina diablo bulldog qwer1234 compaq purple banana junior hannah 123654
porsche lakers iceman cowboys 987654 london tennis 999999 ncc1701 coffee scooby miller boston q1w2e3r4
brandon yamaha chester mother forever johnny edward 333333 oliver redsox player nikita fender barney
midnight please brandy chicago iwantu rangers charles flower rabbit wizard jasper rachel steven winner
adidas victoria natasha 1q2w3e4r jasmine winter prince marine ghbdtn fishing cocacola casper 232323 raiders
888888 marlboro gandalf asdfasdf crystal 87654321 12344321 8675309 panther lauren angela thx1138 angels
madison winston shannon toyota jordan23 canada sophie apples 123abc pokemon qazxsw qwaszx muffin johnson
murphy cooper jonathan liverpoo danielle 159357 jackie 123456a 789456 turtle abcd1234 scorpion qazwsxedc
101010 butter carlos dennis slipknot qwerty123 booger startrek 12341234 cameron newyork rainbow nathan
rocket viking redskins asdfghjkl sierra peaches gemini doctor wilson sandra helpme qwertyui victor florida
dolphin pookie captain tucker liverpool theman bandit dolphins maddog packers jaguar nicholas united tiffany
maxwell zzzzzz nirvana jeremy stupid monica elephant giants hotdog rosebud success debbie mountain 444444
warrior 1q2w3e4r5t q1w2e3 123456q albert metallic azerty bond007 alexis 1111111 samson willie scorpio bonnie
gators benjamin voodoo driver dexter calvin freddy 212121 creative 12345a sydney rush2112 asdfghjk red123
4815162342 trouble gunner gordon legend jessie stella eminem arthur nissan america 1qazxsw2 nothing parker
rebecca qweqwe garfield 01012011 beavis asdasd december 102030 252525 11223344 apollo skippy 315475 kitten
copper braves shelby godzilla tomcat august airborne lifehack qqqqqq brooklyn animal platinum phantom online
xavier darkness blink182 789456123 voyager police travis 12qwaszx heaven snowball abcdef pakistan 007007
walter blazer cricket sniper donkey willow loveme saturn therock redwings pumpkin trinity williams nintendo
digital destiny topgun runner marvin guinness chance bubbles testing november minecraft asdf1234 lasvegas
sergey password1234 password12345 password123456 passwordpassword adminadminadmin administrator123
welcome12345 iloveyou1234 qwertyuiop123 qwertyuiop12 1234567890123 12345678901234 1234567890ab abcdefghijkl
abcdefghijklm abcdefgh1234 changemechangeme letmeinletmein adminpassword 111111111111 000000000000
aaaaaaaaaaaa qwerty1234567 correcthorsebatterystaple 123qweasdzxc 1qaz2wsx3edc q1w2e3r4t5y6 1q2w3e4r5t6y
qazwsxedcrfv 123456qwerty qwerty123456 qwertyqwerty 123456654321 leavemealone gfhjkmgfhjkm qazwsxedc123
ghjcnjgfhjkm zxcasdqwe123 sonyericsson 123456789qwe 1qazxsw23edc qwerasdfzxcv 123456789987654321
123456123456 112233445566 websolutions qweasdzxc123 unbelievable flvbybcnhfnjh 123321123321 ghbdtnrfrltkf
1qaz2wsx3edc4rfv 123456789123456789 finalfantasy 123qwe123qwe justinbieber administrator needforspeed
123456789123 scandinavian 123456789012 supernatural qazwsxedcrfvtgb counterstrike professional ghjcnjghjcnj
dkflbvbhjdbx admin18533362 vfvfvskfhfve fkmnthyfnbdf qazxswedcvfr
`;

const commonPasswords = new Set(list.trim().split(/\s+/));

/** Whether a password is among the first that a guesser tries. */
export const isCommonPassword = (password: string): boolean => commonPasswords.has(password.toLowerCase());
