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
