import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/**
 * boxes: walks round the free box that brings most cells a step, with one of its corners where it stands.
 *
 * <p>A whole bot in one file, as a start for bots in Java.
 */
public class Main {
    static final int WIDTH = 35, HEIGHT = 20;
    static final int SIDE_MIN = 3, SIDE_MAX = 10;
    static final char NEUTRAL = '.', OWN = '0';

    record Cell(int x, int y) {
        int distance(Cell other) {
            return Math.abs(x - other.x) + Math.abs(y - other.y);
        }
    }

    /** A box to wall in, with both corners in it. */
    record Box(int left, int top, int right, int bottom) {
        boolean isOnBoard() {
            return left >= 0 && top >= 0 && right < WIDTH && bottom < HEIGHT;
        }

        boolean isRim(int x, int y) {
            return x == left || x == right || y == top || y == bottom;
        }
    }

    static final String[] rows = new String[HEIGHT];
    static Cell me;
    static Box box;

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        int opponents = in.nextInt();
        while (in.hasNextInt()) {
            in.nextInt(); // the round
            me = player(in);
            for (int i = 0; i < opponents; i++) player(in);
            for (int y = 0; y < HEIGHT; y++) rows[y] = in.next();
            Cell target = decide();
            System.out.println(target.x() + " " + target.y());
        }
    }

    static Cell player(Scanner in) {
        Cell cell = new Cell(in.nextInt(), in.nextInt());
        in.nextInt(); // whether it may still go back in time
        return cell;
    }

    /** Return the next free cell of the box, or the nearest free cell if there is no box. */
    static Cell decide() {
        if (box == null || worth(box) == 0) box = best();
        Cell target = box == null ? null : nearest(box);
        if (target == null) target = nearest(new Box(-1, -1, -1, -1));
        return target == null ? me : target;
    }

    /** Return the best box with a corner here, or null. */
    static Box best() {
        Box best = null;
        for (Box each : corners()) {
            if (each.isOnBoard() && worth(each) > (best == null ? 1 : worth(best))) best = each;
        }
        return best;
    }

    static List<Box> corners() {
        List<Box> found = new ArrayList<>();
        for (int width = SIDE_MIN - 1; width < SIDE_MAX; width++) {
            for (int height = SIDE_MIN - 1; height < SIDE_MAX; height++) {
                found.add(new Box(me.x(), me.y(), me.x() + width, me.y() + height));
                found.add(new Box(me.x() - width, me.y(), me.x(), me.y() + height));
                found.add(new Box(me.x(), me.y() - height, me.x() + width, me.y()));
                found.add(new Box(me.x() - width, me.y() - height, me.x(), me.y()));
            }
        }
        return found;
    }

    /** Return the cells that a box brings for each step round it; 0 if others are in it or nothing is left to do. */
    static double worth(Box box) {
        int free = 0, steps = 0;
        for (int y = box.top(); y <= box.bottom(); y++) {
            for (int x = box.left(); x <= box.right(); x++) {
                char owner = rows[y].charAt(x);
                if (owner != NEUTRAL && owner != OWN) return 0;
                if (owner == NEUTRAL) free++;
                if (owner == NEUTRAL && box.isRim(x, y)) steps++;
            }
        }
        return steps == 0 ? 0 : (double) free / (steps + 2);
    }

    /** Return the nearest free cell of a box's rim, of the whole board for a box beside it; null if there is none. */
    static Cell nearest(Box box) {
        Cell best = null;
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                boolean wanted = box.left() < 0 || isWithin(box, x, y) && box.isRim(x, y);
                Cell cell = new Cell(x, y);
                if (!wanted || rows[y].charAt(x) != NEUTRAL) continue;
                if (best == null || cell.distance(me) < best.distance(me)) best = cell;
            }
        }
        return best;
    }

    static boolean isWithin(Box box, int x, int y) {
        return x >= box.left() && x <= box.right() && y >= box.top() && y <= box.bottom();
    }
}
