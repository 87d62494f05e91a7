title = Puyo Puyo
chain = { $bot } запускает цепочку из { $steps }: { points }.
all_clear = У { $bot } чистое поле: следующая цепочка отправит на 30 больше.
garbage = На { $bot } падает мусорных пуё: { $puyos }.
danger = У { $bot } почти не осталось места.
lead = { $bot } выходит вперёд: { points }.
no_room = у { $other } не осталось места
no_room_at_all = ни у кого не осталось места
points =
    { $points ->
        [one] { $points } очко
        [few] { $points } очка
       *[other] { $points } очков
    }
no_numbers = Ответ { $answer }, а нужны столбец и поворот, например 2 0.
out_of_range = Ответ { $answer }, а столбцы идут от 0 до { $most }, повороты от 0 до 3.
beyond_edge = При ответе { $answer } часть пары оказалась бы за краем поля.
unreachable = Пару нельзя провести в { $answer }: высота столбцов — { $heights }.


## Rulesets and options

ruleset-tsu = Tsu
ruleset-smash_the_code = Smash the Code, с очками в вопросах
ruleset-smash_the_code_contest = Smash the Code, как в соревновании 2016 года


## Слова просмотра

viewer-garbage_waits = Мусор на подходе
viewer-chain = Цепочка
viewer-empty = пусто
viewer-garbage = мусор
viewer-red = красный
viewer-yellow = жёлтый
viewer-green = зелёный
viewer-blue = синий
viewer-purple = фиолетовый


## Экран игрока

input-screen = Оба поля. То же словами — в текстовой доске ниже.
input-ready = Готовы?
input-paused = Пауза
input-start = Начать
input-go_on = Продолжить
input-pace = Темп
input-slow = Медленно
input-normal = Обычно
input-fast = Быстро
input-keys = ← → двигать, Z, X или ↑ повернуть, ↓ быстрее вниз, пробел — сбросить, P — пауза. Мышью: укажите столбец и щёлкните; правая кнопка поворачивает.
input-touch = Ведите пальцем — двигать, касание — повернуть в эту сторону, тяните вниз — быстрее, резко вниз — сбросить.
input-left = Влево
input-right = Вправо
input-turn_left = Повернуть влево
input-turn_right = Повернуть вправо
input-soft = Быстрее вниз
input-hard = Сбросить
input-pause = Пауза
input-next = Далее
input-no_room = Пара туда не помещается.
input-chain = Цепочка { $steps }
input-all_clear = Чистое поле!
input-pair = Пара: { $child } над { $axis }; затем: { $next_child } над { $next_axis }.
input-chain_told = { $name }: цепочка из { $steps }.
input-coming_told = Мусорных пуё на подходе: { $puyos }.
input-garbage = мусор
input-red = красный
input-yellow = жёлтый
input-green = зелёный
input-blue = синий
input-purple = фиолетовый
